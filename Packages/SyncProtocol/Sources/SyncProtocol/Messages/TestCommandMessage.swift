/// TEST_COMMAND, both ways: free text, for debugging only.
public struct TestCommandMessage: Hashable, Sendable {
  /// The session.
  public var session: SessionIdent
  /// The number of the request, echoed.
  public var request: RequestIdent
  /// The text.
  public var text: String

  /// A TEST_COMMAND.
  public init(session: SessionIdent, request: RequestIdent, text: String) {
    self.session = session
    self.request = request
    self.text = text
  }
}

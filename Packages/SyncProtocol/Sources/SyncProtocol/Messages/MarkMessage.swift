/// MARK, both ways: the request for an answer after everything up to now is sent, and the answer.
public struct MarkMessage: Hashable, Sendable {
  /// The session.
  public var session: SessionIdent
  /// The number of the request, echoed.
  public var request: RequestIdent

  /// A MARK.
  public init(session: SessionIdent, request: RequestIdent) {
    self.session = session
    self.request = request
  }
}

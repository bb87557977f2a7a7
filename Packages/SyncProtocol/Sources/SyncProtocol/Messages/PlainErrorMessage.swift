/// ERROR, server to client: an error without an instruction. Older servers send it, ours never does.
public struct PlainErrorMessage: Hashable, Sendable {
  /// The number of the error.
  public var code: ProtocolErrorCode
  /// Whether the client should try again by itself.
  public var tryAgain: Bool
  /// The session, or ``SessionIdent/connection``.
  public var session: SessionIdent
  /// The fault in words.
  public var message: String

  /// An ERROR.
  public init(code: ProtocolErrorCode, tryAgain: Bool, session: SessionIdent, message: String) {
    self.code = code
    self.tryAgain = tryAgain
    self.session = session
    self.message = message
  }
}

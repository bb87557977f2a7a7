/// JSON_ERROR, client to server: a DOWNLOAD could not be integrated.
public struct ClientErrorMessage: Hashable, Sendable {
  /// A session-level code, usually 212.
  public var code: ProtocolErrorCode
  /// The session.
  public var session: SessionIdent
  /// The fault in words.
  public var message: String

  /// A JSON_ERROR of a client.
  public init(code: ProtocolErrorCode, session: SessionIdent, message: String) {
    self.code = code
    self.session = session
    self.message = message
  }
}

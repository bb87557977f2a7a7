/// Anything a client sends.
public enum ClientMessage: Hashable, Sendable {
  /// Opens a session.
  case bind(BindMessage)
  /// Says who the file is.
  case ident(ClientIdentMessage)
  /// Brings changesets.
  case upload(UploadMessage)
  /// Asks to hear when everything is downloaded.
  case mark(MarkMessage)
  /// Ends a session.
  case unbind(UnbindMessage)
  /// Asks for a sign of life.
  case ping(PingMessage)
  /// Reports a DOWNLOAD that could not be integrated.
  case jsonError(ClientErrorMessage)
  /// Changes the subscription set.
  case query(QueryChangeMessage)
  /// Free text.
  case testCommand(TestCommandMessage)

  /// The session it belongs to; nil for PING.
  public var session: SessionIdent? {
    switch self {
    case .bind(let message): message.session
    case .ident(let message): message.session
    case .upload(let message): message.session
    case .mark(let message): message.session
    case .unbind(let message): message.session
    case .ping: nil
    case .jsonError(let message): message.session
    case .query(let message): message.session
    case .testCommand(let message): message.session
    }
  }
}

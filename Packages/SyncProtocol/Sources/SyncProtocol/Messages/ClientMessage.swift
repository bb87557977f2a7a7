/// A message of a client.
public enum ClientMessage: Hashable, Sendable {
  /// Opens a session.
  case bind(BindMessage)
  /// Identifies the file.
  case ident(ClientIdentMessage)
  /// Uploads changesets.
  case upload(UploadMessage)
  /// Asks for an answer when everything is downloaded.
  case mark(MarkMessage)
  /// Ends a session.
  case unbind(UnbindMessage)
  /// Asks for a PONG.
  case ping(PingMessage)
  /// Reports a DOWNLOAD that could not be integrated.
  case jsonError(ClientErrorMessage)
  /// Changes the subscription set.
  case query(QueryChangeMessage)
  /// Free text.
  case testCommand(TestCommandMessage)

  /// The session; nil for PING.
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

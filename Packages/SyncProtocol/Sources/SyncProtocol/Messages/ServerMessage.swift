/// Anything a server sends.
public enum ServerMessage: Hashable, Sendable {
  /// Gives a file ident.
  case ident(ServerIdentMessage)
  /// Brings changesets.
  case download(DownloadMessage)
  /// Says that everything is downloaded.
  case mark(MarkMessage)
  /// Confirms the end of a session.
  case unbound(UnboundMessage)
  /// An error without instructions.
  case error(PlainErrorMessage)
  /// An error with instructions.
  case jsonError(JSONErrorMessage)
  /// Refuses a subscription set.
  case queryError(QueryErrorMessage)
  /// A sign of life.
  case pong(PongMessage)
  /// A line for the log.
  case log(LogMessage)
  /// Free text.
  case testCommand(TestCommandMessage)

  /// The session it belongs to; ``SessionIdent/connection`` or nil when it is about the connection.
  public var session: SessionIdent? {
    switch self {
    case .ident(let message): message.session
    case .download(let message): message.session
    case .mark(let message): message.session
    case .unbound(let message): message.session
    case .error(let message): message.session
    case .jsonError(let message): message.session
    case .queryError(let message): message.session
    case .pong: nil
    case .log(let message): message.session
    case .testCommand(let message): message.session
    }
  }
}

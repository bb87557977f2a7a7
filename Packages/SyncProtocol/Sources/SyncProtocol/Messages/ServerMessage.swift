/// A message of a server.
public enum ServerMessage: Hashable, Sendable {
  /// Allocates a file ident.
  case ident(ServerIdentMessage)
  /// Downloads changesets.
  case download(DownloadMessage)
  /// Confirms that everything is downloaded.
  case mark(MarkMessage)
  /// Confirms the end of a session.
  case unbound(UnboundMessage)
  /// An error without an instruction.
  case error(PlainErrorMessage)
  /// An error with an instruction.
  case jsonError(JSONErrorMessage)
  /// Refuses a subscription set.
  case queryError(QueryErrorMessage)
  /// Answers PING.
  case pong(PongMessage)
  /// A line for the log.
  case log(LogMessage)
  /// Free text.
  case testCommand(TestCommandMessage)

  /// The session; ``SessionIdent/connection`` or nil for messages about the connection.
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

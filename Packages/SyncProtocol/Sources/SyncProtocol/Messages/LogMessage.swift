/// LOG_MESSAGE, server to client, from version 10: a line for the client's log.
public struct LogMessage: Hashable, Sendable {
  /// The levels of a line.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    case fatal, error, warn, info, detail, debug, trace
  }
  /// The session, or ``SessionIdent/connection``.
  public var session: SessionIdent
  /// The level; absent means debug.
  public var level: Level?
  /// The line.
  public var message: String?
  /// The correlation of the logs of both ends; never empty.
  public var correlation: String?

  /// A LOG_MESSAGE.
  public init(session: SessionIdent, level: Level? = .debug, message: String? = nil, correlation: String? = nil) {
    self.session = session
    self.level = level
    self.message = message
    self.correlation = correlation
  }
}

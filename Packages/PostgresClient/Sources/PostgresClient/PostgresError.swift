import CLibPQ

/// A failure of the database or of the connection to it.
public struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The five characters by which PostgreSQL names the failure; empty for one of the connection.
  public var state: String
  /// The failure in PostgreSQL's words.
  public var message: String
  /// Whether the connection is of no use any more.
  public var isConnectionLost: Bool

  /// A failure.
  public init(state: String = "", message: String, isConnectionLost: Bool = false) {
    self.state = state
    var message = message
    while message.last?.isWhitespace == true { message.removeLast() }
    self.message = message
    self.isConnectionLost = isConnectionLost
  }

  /// Whether the same transaction may succeed when it is tried again: a deadlock, a conflict, a server that is too busy.
  public var isPassing: Bool { ["40", "53", "55", "57"].contains(String(state.prefix(2))) }

  /// Whether a row refers to one that there is not.
  public var isForeignKeyViolation: Bool { state == "23503" }

  /// State and message.
  public var description: String { state.isEmpty ? message : "\(message) (\(state))" }
}

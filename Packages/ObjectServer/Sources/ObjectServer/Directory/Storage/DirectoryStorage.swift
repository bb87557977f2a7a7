/// The SQL database below a ``SQLDirectory``: lends connections to it, and says when transactions begin and end.
///
/// Functions block; any thread may call them. Each throws ``ServerError/Code/stopped`` after ``close()``, and its own errors when
/// the database fails.
public protocol DirectoryStorage: Sendable {
  /// Calls `body` with a connection on which each statement sees the newest state. For one statement that reads.
  func read<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value
  /// Calls `body` with a connection on which all statements see the same state. For several statements that read.
  func snapshot<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value
  /// Calls `body` within a transaction, which is rolled back when `body` throws. One transaction at a time writes, whichever
  /// process it belongs to, and sees all that was written before it. When the function returns, the transaction is durable.
  ///
  /// `body` may be called again, after a conflict that rolled its transaction back.
  func write<Value: Sendable>(_ body: (any DirectoryConnection) throws -> Value) throws -> Value
  /// Whether other processes change the tables as well, as tools and other nodes do.
  var isShared: Bool { get }
  /// The sentence that tells the operator what to do about an error of the database.
  static func remedy(for error: any Error) -> String
  /// Flushes and closes; no connection is lent afterwards.
  func close()
}

extension DirectoryStorage {
  /// The default: they do.
  public var isShared: Bool { true }
}

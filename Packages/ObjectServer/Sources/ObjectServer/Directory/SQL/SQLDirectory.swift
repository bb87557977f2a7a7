public import Permissions
import Synchronization
public import Telemetry

/// The directory in the tables of a SQL database: all that it decides, whichever database holds the tables.
///
/// ``SQLiteDirectory`` has them in a file of its own; a cluster has them in PostgreSQL.
public final class SQLDirectory<Storage: DirectoryStorage>: Directory {
  private let storage: Storage
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// Whether other processes change the tables as well.
  public var isShared: Bool { storage.isShared }

  /// The directory in a storage.
  ///
  /// - Parameter open: opens the storage.
  /// - Throws: the `ServerError` of `open`; ``ServerError/Code/directoryFailure`` for other errors of it.
  public init(_ open: () throws -> Storage) throws(ServerError) {
    do { storage = try open() } catch { throw Self.failure(error, "opened") }
  }

  /// Records realms whose files were copied into the data directory.
  ///
  /// - Throws: ``ServerError/Code/directoryFailure``
  public func recordRealms(
    _ paths: [RealmPath], createdBy user: UserId, at time: WallTime
  ) throws(ServerError) {
    try write { database in
      for path in paths { _ = try Self.record(path, user, time, in: database) }
    }
  }

  /// Reads every record.
  ///
  /// - Returns: what is damaged, and how many records there should be where some are missing; nothing when all is well.
  /// - Throws: ``ServerError/Code/directoryFailure`` when the database cannot be read to the end.
  /// - Complexity: O(size of the directory).
  public func problems() throws(ServerError) -> [String] { try snapshot { try $0.problems() } }

  /// Runs one statement that reads.
  func read<Value: Sendable>(_ work: (DirectoryDatabase) throws -> Value) throws(ServerError) -> Value {
    do { return try storage.read { try work(DirectoryDatabase($0)) } } catch { throw Self.failure(error, "used") }
  }

  /// Runs statements that read one state.
  func snapshot<Value: Sendable>(_ work: (DirectoryDatabase) throws -> Value) throws(ServerError) -> Value {
    do { return try storage.snapshot { try work(DirectoryDatabase($0)) } } catch { throw Self.failure(error, "used") }
  }

  /// Runs `work` in a transaction, the only one that writes. It may run again, after a conflict.
  func write<Value: Sendable>(_ work: (inout DirectoryDatabase) throws -> Value) throws(ServerError) -> Value {
    var hasNoted = false
    defer { if hasNoted { handler.withLock { $0 }?() } }
    do {
      return try storage.write { connection in
        var database = DirectoryDatabase(connection)
        defer { hasNoted = database.hasNoted }
        return try work(&database)
      }
    } catch { throw Self.failure(error, "used") }
  }

  /// Chooses the function that is called after each change by this process, on any thread; nil for none.
  public func whenChanged(_ handler: (@Sendable () -> Void)?) { self.handler.withLock { $0 = handler } }

  /// Tells whoever follows the feed that the keys of tokens were rotated.
  ///
  /// - Throws: ``ServerError`` when the database cannot be written.
  public func tokenKeysChanged() throws(ServerError) { try write { try $0.note(.tokenKeys) } }

  /// The changes after a position that sessions may depend on, oldest first.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read.
  public func changes(after position: Int64?) throws(ServerError) -> DirectoryChanges {
    // As a rule there are none, so that one statement answers.
    let last = try read { try $0.lastChange() }
    guard let position, position != last else { return DirectoryChanges(position: last) }
    return try snapshot { try $0.changes(after: position) }
  }

  /// Flushes and closes; no function may be called afterwards.
  public func close() { storage.close() }

  private static func failure(_ error: any Error, _ verb: String) -> ServerError {
    if let error = error as? ServerError { return error }
    return ServerError(
      .directoryFailure, "the directory of users cannot be \(verb)", remedy: Storage.remedy(for: error), cause: error)
  }
}

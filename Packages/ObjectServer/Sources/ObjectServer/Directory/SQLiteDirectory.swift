public import Permissions
import SQLiteDatabase
import Synchronization
public import Telemetry

/// The embedded directory: one SQLite file, every change flushed to disk before it counts.
///
/// Several processes may use the file: the server, and tools that add users meanwhile.
public final class SQLiteDirectory: Directory {
  private let database: Mutex<DirectoryDatabase?>
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// Tools change the file while a server runs.
  public var isShared: Bool { true }

  /// The directory in the file at `path`, made when missing; `:memory:` for one that goes with the process. Its records are
  /// sealed with `keys/directory.key` beside the file, which is made with the first seal.
  ///
  /// - Throws: ``ServerError/Code/directoryFailure``; ``ServerError/Code/badKey`` when the key is missing or none.
  public convenience init(path: String) throws(ServerError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try self.init(path: path) { isSealed throws(ServerError) in
      path == ":memory:" ? DirectoryKey.random() : try DirectoryKey.load(from: folder + "/keys", isSealed: isSealed)
    }
  }

  /// - Parameter key: the key of the seals, told whether there are seals already.
  init(path: String, key: @Sendable (_ isSealed: Bool) throws(ServerError) -> [UInt8]) throws(ServerError) {
    do {
      database = Mutex(try DirectoryDatabase(path: path, key: key))
    } catch {
      throw Self.failure(error, "opened")
    }
  }

  /// Records realms whose files were copied into the data directory.
  ///
  /// - Throws: ``ServerError/Code/directoryFailure``
  public func recordRealms(
    _ paths: [RealmPath], createdBy user: UserId, at time: WallTime
  ) throws(ServerError) {
    try use { database in
      try database.transaction { database in
        for path in paths { _ = try Self.record(path, user, time, in: &database) }
      }
    }
  }

  /// Reads every record.
  ///
  /// - Returns: what is damaged, and how many records there should be where some are missing; nothing when all is well.
  /// - Throws: ``ServerError/Code/directoryFailure`` when the file cannot be read to the end.
  /// - Complexity: O(size of the file).
  public func problems() throws(ServerError) -> [String] { try use { try $0.problems() } }

  /// Runs `work` on the database, one caller at a time.
  func use<Value: Sendable>(_ work: (inout DirectoryDatabase) throws -> Value) throws(ServerError) -> Value {
    var hasNoted = false
    let result: Result<Value, ServerError> = database.withLock { database in
      guard var open = database else {
        return .failure(ServerError(.stopped, "the directory is closed", remedy: "start the server again"))
      }
      open.hasNoted = false
      defer {
        hasNoted = open.hasNoted
        database = open
      }
      do {
        return .success(try work(&open))
      } catch {
        return .failure(Self.failure(error, "used"))
      }
    }
    if hasNoted { handler.withLock { $0 }?() }
    return try result.get()
  }

  /// Chooses the function that is called after each change by this process, on any thread; nil for none.
  public func whenChanged(_ handler: (@Sendable () -> Void)?) { self.handler.withLock { $0 = handler } }

  /// Tells whoever follows the feed that the keys of tokens were rotated.
  ///
  /// - Throws: ``ServerError`` when the database cannot be written.
  public func tokenKeysChanged() throws(ServerError) { try use { try $0.note(.tokenKeys) } }

  /// The changes after a position that sessions may depend on, oldest first.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read.
  public func changes(after position: Int64?) throws(ServerError) -> DirectoryChanges {
    try use { try $0.changes(after: position) }
  }

  /// Flushes and closes; no function may be called afterwards.
  public func close() { database.withLock { $0 = nil } }

  private static func failure(_ error: any Error, _ verb: String) -> ServerError {
    if let error = error as? ServerError { return error }
    let remedy = (error as? SQLiteError)?.remedy ?? "check the data directory"
    return ServerError(
      .directoryFailure, "the directory of users cannot be \(verb)",
      remedy: remedy.prefix(1).lowercased() + remedy.dropFirst(), cause: error)
  }
}

import CSQLite

/// Moves the content of a write-ahead log into its database file. No checkpoint of this project runs elsewhere.
///
/// Rule: **a checkpoint runs only while SQLite's write lock of the file is held.** One connection, the writer, takes the
/// lock by `BEGIN IMMEDIATE`; a second one runs the checkpoint in PASSIVE mode, which neither waits nor wants the lock;
/// the writer rolls back. Every commit of every connection and process takes the same lock, so that no commit, and no
/// reset of the log, which only commits do, meets a checkpoint:
///
///     writer   BEGIN IMMEDIATE                    ROLLBACK
///     second                   wal_checkpoint
///     others   commit |         (wait)           | commit, which finds the log moved and begins it anew
///
/// SQLite 3.7.0 to 3.51.2 need this: a checkpoint that read the length of the log right before another connection reset
/// it takes pages of later commits for moved, which then are lost. The modes FULL, RESTART and TRUNCATE take the lock
/// themselves, but go on without it when they do not get it in time, so they are not used.
///
/// The last connection that closes a file moves the log, too. SQLite does that under an exclusive lock of the whole file,
/// which says that there is no other connection, so no commit.
///
/// A commit pays one comparison. One value belongs to one writing connection, and to its thread.
public struct Checkpointer {
  /// The outcome of a checkpoint.
  public struct Progress: Hashable, Sendable {
    /// Pages in the log.
    public var pages: Int
    /// Pages of the log that are in the file; a reader of an older state keeps those behind it in the log.
    public var moved: Int

    /// Whether the next commit may begin the log anew.
    public var isComplete: Bool { moved >= pages }
  }

  /// Pages in the log from which on it is moved.
  private let limit: Int
  /// Pages in the log at which the next attempt is made.
  private var due: Int

  /// - Parameter limit: pages in the log from which on a commit is followed by a checkpoint.
  public init(limit: Int) {
    self.limit = limit
    due = limit
  }

  /// Moves the log after a commit of `writer`, when it has grown enough. Called outside of transactions.
  ///
  /// When another writer is quicker, the next commit tries again. When a reader keeps the log from being moved whole,
  /// another attempt follows after growth by a sixteenth of the limit.
  ///
  /// - Parameter withSecond: calls its closure with another connection to the same file, outside of transactions;
  ///   called only when a checkpoint is due. Its errors and those of the checkpoint lead to another attempt and are
  ///   never thrown: the commit stands.
  /// - Complexity: O(1), but for a checkpoint, which takes O(pages of the log).
  public mutating func runIfDue(
    _ writer: SQLiteConnection, withSecond: ((SQLiteConnection) throws -> Void) throws -> Void
  ) {
    let pages = writer.walPages
    guard pages >= limit else { return due = limit }
    guard pages >= due else { return }
    do {
      try withSecond { second in
        guard try Self.run(writer, second, waits: false) != nil else { return }
        due = pages + max(limit / 16, 1)
      }
    } catch { due = pages + max(limit / 16, 1) }
  }

  /// Moves the log now, as far as readers let it.
  ///
  /// - Parameters:
  ///   - writer: takes the write lock meanwhile; is in no transaction.
  ///   - second: another connection to the same file, in no transaction.
  ///   - waits: whether other writers are waited for, up to the busy timeout of `writer`.
  /// - Returns: nil when another writer was quicker and is not waited for, and when there is no log.
  /// - Throws: ``SQLiteError``, of kind `busy` when other writers do not end in time.
  /// - Complexity: O(pages of the log).
  @discardableResult
  public static func run(
    _ writer: SQLiteConnection, _ second: SQLiteConnection, waits: Bool = true
  ) throws(SQLiteError) -> Progress? {
    precondition(writer !== second, "a checkpoint takes two connections, of which one holds the write lock")
    guard try writer.beginImmediate(waits: waits) else { return nil }
    defer { if writer.isInTransaction { try? writer.execute("ROLLBACK") } }
    if let progress = try second.passiveCheckpoint() { return progress }
    // A connection opens the log when it first reads.
    _ = try second.integer("PRAGMA schema_version")
    return try second.passiveCheckpoint()
  }

  /// Moves the whole log and frees its room on the disk, by a commit that changes nothing. Readers are waited for, up
  /// to a second; when they take longer, the room is freed by a later call.
  ///
  /// - Throws: ``SQLiteError``, of kind `busy` when other writers do not end in time.
  public static func empty(_ writer: SQLiteConnection, _ second: SQLiteConnection) throws(SQLiteError) {
    for attempt in 0..<100 {
      if attempt > 0 { sqlite3_sleep(10) }
      if try run(writer, second)?.isComplete == true { break }
    }
    try writer.execute("PRAGMA journal_size_limit = 0")
    defer { try? writer.execute("PRAGMA journal_size_limit = -1") }
    // Writes the first page, hence the first of a new log, which SQLite truncates.
    let version = try writer.integer("PRAGMA user_version") ?? 0
    do { try writer.execute("PRAGMA user_version = \(version)") } catch {
      // Another writer's commit begins the new log then.
      guard error.kind == .busy else { throw error }
    }
  }
}

import CSQLite

/// One connection to one SQLite database, for one thread at a time.
///
///     let connection = try SQLiteConnection(path: ":memory:")
///     try connection.execute("CREATE TABLE pet(name TEXT)")
///     let insert = try connection.prepare("INSERT INTO pet VALUES (?)")
///     try insert.bind(1, "Ada").run()
///
/// SQLite's automatic checkpoint after commits is off: ``Checkpointer`` moves the write-ahead log.
///
/// Not Sendable: threads that share a connection use it one after the other.
public final class SQLiteConnection {
  /// The way a file is opened.
  public enum Mode: Sendable {
    /// For a file that does not change meanwhile. Needs no companions, so the folder may be read-only.
    case immutable
    /// Reads; SQLite may make companions.
    case readOnly
    /// Reads and writes an existing file.
    case readWrite
    /// Creates the file when it does not exist.
    case create
  }

  let handle: OpaquePointer
  /// Pages in the log after the last commit here, written by SQLite's hook.
  private let walLength = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  private var busyTimeout: Int32 = 0

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: a file, or `:memory:` for a private database in memory.
  ///   - fileSystem: the name of a registered file system of SQLite's; nil for the system's own.
  /// - Throws: ``SQLiteError``, of kind `cannotOpen` when the file or its folder does not exist or may not be opened.
  public init(path: String, mode: Mode = .create, fileSystem: String? = nil) throws(SQLiteError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var path = path
    switch mode {
    case .immutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      path = "file:" + Self.escaped(path) + "?immutable=1"
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(path, &handle, flags, fileSystem)
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(handle)
      throw SQLiteError(code: code, message: message)
    }
    self.handle = handle
    walLength.initialize(to: 0)
    // Replaces SQLite's own hook, the automatic checkpoint.
    sqlite3_wal_hook(
      handle,
      { length, _, _, pages in
        length?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, walLength)
  }

  deinit {
    sqlite3_close_v2(handle)
    walLength.deallocate()
  }

  /// A path as part of a URI: everything but letters, digits and a few signs as percent and two digits.
  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        text.append(byte)
      default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Sets how long a call waits for other connections before it fails as busy.
  public func setBusyTimeout(_ timeout: Duration) {
    let (seconds, attoseconds) = timeout.components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
    let sum = milliseconds.overflow ? Int64.max : milliseconds.partialValue &+ attoseconds / 1_000_000_000_000_000
    busyTimeout = Int32(clamping: sum)
    sqlite3_busy_timeout(handle, busyTimeout)
  }

  /// Pages in the write-ahead log after the last commit of this connection; 0 before the first, and without such a log.
  public var walPages: Int { Int(walLength.pointee) }

  /// Takes the write lock.
  ///
  /// - Parameter waits: whether other writers are waited for, up to the busy timeout.
  /// - Returns: false when another writer has the lock and is not waited for.
  func beginImmediate(waits: Bool) throws(SQLiteError) -> Bool {
    if !waits { sqlite3_busy_timeout(handle, 0) }
    defer { if !waits { sqlite3_busy_timeout(handle, busyTimeout) } }
    do { try execute("BEGIN IMMEDIATE") } catch {
      guard !waits, error.kind == .busy else { throw error }
      return false
    }
    return true
  }

  /// Moves the log into the file, as far as readers let it; returns nil when this connection has no log open. For
  /// ``Checkpointer`` alone, which holds the write lock meanwhile.
  func passiveCheckpoint() throws(SQLiteError) -> Checkpointer.Progress? {
    var pages: Int32 = 0
    var moved: Int32 = 0
    try check(sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &pages, &moved), nil)
    return pages < 0 ? nil : Checkpointer.Progress(pages: Int(pages), moved: Int(moved))
  }

  /// Runs one or more statements without parameters; their rows are dropped.
  ///
  /// - Throws: ``SQLiteError`` of the first statement that fails.
  public func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
  }

  /// Compiles one statement, to be kept and used again.
  ///
  /// - Throws: ``SQLiteError`` when the text is wrong.
  public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil), sql)
    guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, message: "empty statement", sql: sql) }
    return SQLiteStatement(handle: statement, connection: self)
  }

  /// The first column of the first row, as an integer; nil when there is no row.
  ///
  /// - Throws: ``SQLiteError`` when the statement fails.
  public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.int(at: 0) : nil
  }

  /// The first column of the first row, as text; nil when there is no row.
  ///
  /// - Throws: ``SQLiteError`` when the statement fails.
  public func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(at: 0) : nil
  }

  /// Calls `body` between BEGIN IMMEDIATE and COMMIT; rolls back when it throws.
  ///
  /// - Throws: the error of `body`, and ``SQLiteError``, of kind `busy` when other writers do not end in time.
  public func transaction<R>(_ body: () throws -> R) throws -> R {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The first bytes of the file as they stand there, whatever its write-ahead log says: `count` of them, or all when
  /// the file is shorter; none when there is no file. Takes no lock, changes nothing and makes no companions.
  ///
  /// - Throws: ``SQLiteError`` when the file cannot be read.
  public func fileHead(_ count: Int) throws(SQLiteError) -> [UInt8] {
    var found: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &found) == SQLITE_OK, let file = found,
      let methods = file.pointee.pMethods?.pointee, let read = methods.xRead, let measure = methods.xFileSize
    else { return [] }
    var size = Int64(count)
    var bytes = [UInt8](repeating: 0, count: count)
    func fill(_ count: Int) -> Int32 { bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32(count), 0) } }
    var code = fill(count)
    if code == Self.shortRead {
      code = measure(file, &size)
      // SQLite takes a file of one byte for an empty one.
      if size == 0, fill(1) == SQLITE_OK { size = 1 }
    }
    guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "the head of the file cannot be read") }
    bytes.removeLast(max(0, count - Int(size)))
    return bytes
  }

  // SQLITE_IOERR_SHORT_READ, a macro that is not imported.
  private static let shortRead = SQLITE_IOERR | 2 << 8

  /// Whether the path names another file, or none: the open one was deleted, moved or replaced. One system call.
  public var hasMoved: Bool {
    var answer: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return code == SQLITE_OK && answer != 0
  }

  /// SQLite's data version: changes with every commit of this connection, and with the first transaction here after
  /// others committed; nil where it is not known. Valid within a transaction, or right after one.
  public var dataVersion: UInt32? {
    var version: UInt32 = 0
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version) == SQLITE_OK else { return nil }
    return version
  }

  /// Whether a transaction is open. SQLite ends one by itself after some failures, a full disk among them.
  public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
  /// Pages that this connection wrote to the disk so far.
  public var pagesWritten: Int {
    var count: Int32 = 0
    var highest: Int32 = 0
    let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 0)
    return code == SQLITE_OK ? Int(count) : 0
  }
  /// Rows changed by the last INSERT, UPDATE or DELETE.
  public var changes: Int { Int(sqlite3_changes64(handle)) }
  /// The rowid of the last INSERT.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  func check(_ code: Int32, _ sql: String?) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql)
  }
}

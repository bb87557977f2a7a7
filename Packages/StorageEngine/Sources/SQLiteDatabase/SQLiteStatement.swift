import CSQLite

/// One compiled statement: bind its parameters, step through its rows, reset. For the thread of its connection.
///
///     let select = try connection.prepare("SELECT name FROM pet WHERE age > ?")
///     try select.bind(1, 3)
///     while try select.step() { print(select.text(at: 0) ?? "") }
///     select.reset()
public final class SQLiteStatement {
  let handle: OpaquePointer
  // The connection must outlive its statements.
  let connection: SQLiteConnection

  init(handle: OpaquePointer, connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  // SQLite copies the bytes during the call. unsafeBitCast: SQLITE_TRANSIENT is the address -1, which is never called.
  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  /// Binds parameter `index`, counted from 1.
  ///
  /// - Throws: ``SQLiteError`` when there is no such parameter, or the value is too large. So do the other binding
  ///   functions.
  @discardableResult public func bind(_ index: Int, _ value: Int64) throws(SQLiteError) -> SQLiteStatement {
    try check(sqlite3_bind_int64(handle, Int32(index), value))
  }

  /// Binds an integer; see ``bind(_:_:)-(Int,Int64)``.
  ///
  /// - Throws: ``SQLiteError`` when there is no such parameter.
  @discardableResult public func bind(_ index: Int, _ value: Int) throws(SQLiteError) -> SQLiteStatement {
    try bind(index, Int64(value))
  }

  /// Binds a number; see ``bind(_:_:)-(Int,Int64)``.
  ///
  /// - Throws: ``SQLiteError`` when there is no such parameter.
  @discardableResult public func bind(_ index: Int, _ value: Double) throws(SQLiteError) -> SQLiteStatement {
    try check(sqlite3_bind_double(handle, Int32(index), value))
  }

  /// Binds a text, or NULL.
  ///
  /// - Throws: ``SQLiteError`` when there is no such parameter, or the text is too large.
  @discardableResult public func bind(_ index: Int, _ value: String?) throws(SQLiteError) -> SQLiteStatement {
    guard var value else { return try bindNull(index) }
    let code = value.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(handle, Int32(index), $0.baseAddress ?? Self.emptyText, Int32(text.count), Self.transient)
      }
    }
    return try check(code)
  }

  /// Binds bytes, or NULL.
  ///
  /// - Throws: ``SQLiteError`` when there is no such parameter, or there are too many bytes.
  @discardableResult public func bind(_ index: Int, _ value: [UInt8]?) throws(SQLiteError) -> SQLiteStatement {
    guard let value else { return try bindNull(index) }
    let code = value.withUnsafeBytes { bytes in
      sqlite3_bind_blob64(
        handle, Int32(index), bytes.baseAddress ?? Self.emptyBytes, UInt64(bytes.count), Self.transient)
    }
    return try check(code)
  }

  /// Binds NULL.
  ///
  /// - Throws: ``SQLiteError`` when there is no such parameter.
  @discardableResult public func bindNull(_ index: Int) throws(SQLiteError) -> SQLiteStatement {
    try check(sqlite3_bind_null(handle, Int32(index)))
  }

  /// Binds bytes without copying them: they must stay in place until the statement is reset.
  ///
  /// - Throws: ``SQLiteError`` when there is no such parameter, or there are too many bytes.
  @discardableResult
  public func bindUnsafeBytes(_ index: Int, _ bytes: UnsafeRawBufferPointer) throws(SQLiteError) -> SQLiteStatement {
    try check(
      sqlite3_bind_blob64(handle, Int32(index), bytes.baseAddress ?? Self.emptyBytes, UInt64(bytes.count), nil))
  }

  /// Goes to the next row; returns false when there is none.
  ///
  /// - Throws: ``SQLiteError`` of the failure; the statement is reset then.
  public func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = SQLiteError(code: code, message: String(cString: sqlite3_errmsg(connection.handle)), sql: sql)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Steps to the end and resets.
  ///
  /// - Throws: ``SQLiteError`` as ``step()``.
  public func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Makes the statement ready to be stepped from the start; bindings stay.
  public func reset() { sqlite3_reset(handle) }

  /// The text of the statement.
  public var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  // Columns of the current row, counted from 0.

  /// The storage class of a value.
  public enum StorageClass: Sendable, Hashable {
    case null, integer, real, text, blob
  }

  /// The storage class of a column, which reading the value may change.
  public func storageClass(at column: Int) -> StorageClass {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// The integer of a column; 0 when null.
  public func int(at column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
  /// The number of a column; 0 when null.
  public func double(at column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }
  /// Whether a column is null.
  public func isNull(at column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }
  /// The text of a column; nil when null.
  public func text(at column: Int) -> String? { sqlite3_column_text(handle, Int32(column)).map { String(cString: $0) } }

  /// The bytes of a column; empty when null.
  public func bytes(at column: Int) -> [UInt8] { withBytes(at: column) { Array($0) } }

  /// Calls `body` with the bytes of a column where SQLite holds them, valid during the call.
  public func withBytes<R>(at column: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let start = sqlite3_column_blob(handle, Int32(column))
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column)))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  @discardableResult private func check(_ code: Int32) throws(SQLiteError) -> SQLiteStatement {
    try connection.check(code, nil)
    return self
  }

  // A null pointer would bind NULL instead of an empty value. Never read, never freed: one byte for the process.
  private nonisolated(unsafe) static let emptyBytes = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
  private static var emptyText: UnsafePointer<CChar> { emptyBytes.assumingMemoryBound(to: CChar.self) }
}

import CSQLite
import Glibc

/// Records the rows that one connection changes, until it is dropped, as SQLite's patch: the new content of each row that was
/// inserted or changed, and the key of each that was deleted.
///
///     let recorder = try ChangeRecorder(connection)
///     try connection.execute("INSERT INTO pet(id, name) VALUES (1, 'Ada')")
///     let patch = try recorder.patch()
///     try other.apply(patch)                            // the row is there, too
///
/// Tables need a primary key; the statements that make tables are not recorded. For the thread that has the connection.
public final class ChangeRecorder {
  private let handle: OpaquePointer
  private let connection: SQLiteConnection

  /// Begins to record.
  ///
  /// - Parameter left: a table whose changes are left out; nil for none.
  /// - Throws: ``SQLiteError`` when there is no memory.
  public init(_ connection: SQLiteConnection, leavingOut left: StaticString? = nil) throws(SQLiteError) {
    var handle: OpaquePointer?
    try connection.check(sqlite3session_create(connection.handle, "main", &handle), nil)
    guard let handle else { throw SQLiteError(code: SQLITE_NOMEM, message: "no recorder of changes") }
    self.handle = handle
    self.connection = connection
    if let left {
      // The text is static, so the pointer stays.
      sqlite3session_table_filter(
        handle,
        { left, table in
          guard let left, let table else { return 1 }
          return strcmp(left.assumingMemoryBound(to: CChar.self), table) == 0 ? 0 : 1
        }, UnsafeMutableRawPointer(mutating: left.utf8Start))
    }
    do { try connection.check(sqlite3session_attach(handle, nil), nil) } catch {
      sqlite3session_delete(handle)
      throw error
    }
  }

  deinit { sqlite3session_delete(handle) }

  /// The changes so far.
  ///
  /// - Throws: ``SQLiteError`` when there is no memory, or a change could not be recorded.
  /// - Complexity: O(changed rows).
  public func patch() throws(SQLiteError) -> [UInt8] {
    var count: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    let code = sqlite3session_patchset(handle, &count, &bytes)
    defer { sqlite3_free(bytes) }
    guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "changes could not be recorded") }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }
}

extension SQLiteConnection {
  /// Makes the changes of a patch, within a transaction or as one of their own. Rows that are to be deleted and are not there are
  /// passed over.
  ///
  /// - Throws: ``SQLiteError``, of kind `corrupt` for bytes that are no patch, of kind `constraint` or `other` when the patch
  ///   does not fit the content; no change was made then.
  /// - Complexity: O(changed rows).
  public func apply(_ patch: [UInt8]) throws(SQLiteError) {
    guard !patch.isEmpty else { return }
    var patch = patch
    let code = patch.withUnsafeMutableBytes { bytes in
      sqlite3changeset_apply(
        handle, Int32(clamping: bytes.count), bytes.baseAddress, nil,
        { _, kind, change in
          var table: UnsafePointer<CChar>?
          var (columns, operation, indirect) = (Int32(0), Int32(0), Int32(0))
          guard sqlite3changeset_op(change, &table, &columns, &operation, &indirect) == SQLITE_OK,
            kind == SQLITE_CHANGESET_NOTFOUND, operation == SQLITE_DELETE
          else { return SQLITE_CHANGESET_ABORT }
          return SQLITE_CHANGESET_OMIT
        }, nil)
    }
    guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "the changes do not fit the database") }
  }

  /// The tables whose rows a patch changes, in the order of their first change.
  ///
  /// - Throws: ``SQLiteError``, of kind `corrupt` for bytes that are no patch.
  /// - Complexity: O(bytes).
  public static func tables(inPatch patch: [UInt8]) throws(SQLiteError) -> [String] {
    guard !patch.isEmpty else { return [] }
    var patch = patch
    var tables: [String] = []
    let code = patch.withUnsafeMutableBytes { bytes -> Int32 in
      var iterator: OpaquePointer?
      let started = sqlite3changeset_start(&iterator, Int32(clamping: bytes.count), bytes.baseAddress)
      guard started == SQLITE_OK else { return started }
      while sqlite3changeset_next(iterator) == SQLITE_ROW {
        var table: UnsafePointer<CChar>?
        var (columns, operation, indirect) = (Int32(0), Int32(0), Int32(0))
        guard sqlite3changeset_op(iterator, &table, &columns, &operation, &indirect) == SQLITE_OK, let table else {
          break
        }
        let name = String(cString: table)
        if tables.last != name, !tables.contains(name) { tables.append(name) }
      }
      return sqlite3changeset_finalize(iterator)
    }
    guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "the changes are damaged") }
    return tables
  }
}

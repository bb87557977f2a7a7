import CLibPQ

/// The rows of a statement.
public final class PostgresResult: @unchecked Sendable {
  private let handle: OpaquePointer
  /// The number of rows.
  public let count: Int
  private let columns: Int

  init(_ handle: OpaquePointer) {
    self.handle = handle
    count = Int(PQntuples(handle))
    columns = Int(PQnfields(handle))
  }

  deinit { PQclear(handle) }

  /// The number of rows that a statement inserted, changed or deleted.
  public var affected: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  /// The statement's word for what it did, such as `COMMIT`, and `ROLLBACK` for a commit of a transaction that had failed.
  public var command: String { String(cString: PQcmdStatus(handle)) }

  /// The type of a column; that with the number 0 when there is none.
  public func type(_ column: Int) -> PostgresType { PostgresType(rawValue: PQftype(handle, Int32(clamping: column))) }

  /// A value as text; nil for NULL, and outside of the rows and columns that there are.
  public subscript(row: Int, column: Int) -> String? { value(row, column).map { String(cString: $0) } }

  /// A value as libpq has it, ended by zero, while the result is kept; nil for NULL, and outside of the rows and columns that there are.
  func value(_ row: Int, _ column: Int) -> UnsafePointer<CChar>? {
    guard row >= 0, row < count, column >= 0, column < columns else { return nil }
    guard PQgetisnull(handle, Int32(row), Int32(column)) == 0 else { return nil }
    return PQgetvalue(handle, Int32(row), Int32(column)).map { UnsafePointer($0) }
  }

  /// A row as texts.
  public func row(_ number: Int) -> [String?] { (0..<columns).map { self[number, $0] } }
}

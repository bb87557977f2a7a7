import CLibPQ
import Foundation

/// A connection to a PostgreSQL database, by libpq. Blocks; one task at a time may use it.
public final class PostgresConnection: @unchecked Sendable {
  let handle: OpaquePointer
  /// The names of the statements that this connection has prepared.
  var preparedNames: Set<String> = []
  /// Called with each statement before it is sent; for a log of commands.
  public var willSend: (@Sendable (String) -> Void)?

  /// Connects.
  ///
  /// - Parameter parameters: those of libpq, such as `host`, `port`, `dbname`, `user`, `password`, `connect_timeout`, `replication`.
  /// - Throws: ``PostgresError`` with `isConnectionLost`.
  public init(_ parameters: [String: String]) throws {
    let names = parameters.keys.sorted()
    var keys: [UnsafePointer<CChar>?] = names.map { UnsafePointer(strdup($0)) }
    var values: [UnsafePointer<CChar>?] = names.map { UnsafePointer(strdup(parameters[$0] ?? "")) }
    defer { for pointer in keys + values { free(UnsafeMutablePointer(mutating: pointer)) } }
    keys.append(nil)
    values.append(nil)
    guard let handle = PQconnectdbParams(keys, values, 0) else {
      throw PostgresError(message: "there is no memory for a connection", isConnectionLost: true)
    }
    guard PQstatus(handle) == CONNECTION_OK else {
      let message = String(cString: PQerrorMessage(handle))
      PQfinish(handle)
      throw PostgresError(message: message, isConnectionLost: true)
    }
    // Failures are thrown; notices are for people at a terminal.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    self.handle = handle
  }

  deinit { PQfinish(handle) }

  /// Whether the connection can be used.
  public var isAlive: Bool { PQstatus(handle) == CONNECTION_OK }

  /// Whether a transaction is open, or was and failed.
  public var isInTransaction: Bool {
    let status = PQtransactionStatus(handle)
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
  }

  /// The version of the server, such as 150018 for 15.18.
  public var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// Runs one statement.
  ///
  /// - Parameter values: of the parameters `$1`, `$2`, …, as texts that PostgreSQL reads; nil is NULL.
  /// - Throws: ``PostgresError``.
  @discardableResult
  public func query(_ statement: String, _ values: [String?] = []) throws -> PostgresResult {
    willSend?(statement)
    let pointers: [UnsafeMutablePointer<CChar>?] = values.map { $0.flatMap { strdup($0) } }
    defer { for pointer in pointers { free(pointer) } }
    let result: OpaquePointer? =
      if values.isEmpty {
        PQexec(handle, statement)
      } else {
        PQexecParams(
          handle, statement, Int32(values.count), nil, pointers.map { UnsafePointer($0) }, nil, nil, 0)
      }
    return try checked(result)
  }

  func checked(_ result: OpaquePointer?) throws -> PostgresResult {
    guard let result else { throw lost() }
    switch PQresultStatus(result) {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
      defer { PQclear(result) }
      let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
      throw PostgresError(
        state: state, message: String(cString: PQresultErrorMessage(result)), isConnectionLost: !isAlive)
    default: return PostgresResult(result)
    }
  }

  func lost() -> PostgresError {
    PostgresError(message: String(cString: PQerrorMessage(handle)), isConnectionLost: true)
  }

  /// Runs work in a transaction, which is rolled back when the work throws.
  ///
  /// - Throws: the error of `work`; ``PostgresError`` when the commit fails.
  public func transaction<Value>(_ work: () throws -> Value) throws -> Value {
    try query("BEGIN")
    do {
      let value = try work()
      guard try query("COMMIT").command == "COMMIT" else {
        throw PostgresError(message: "the transaction was rolled back, because a statement of it had failed")
      }
      return value
    } catch {
      if isAlive { _ = try? query("ROLLBACK") }
      throw error
    }
  }

  /// A name as it stands in statements.
  public static func quoted(_ name: String) -> String {
    "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }

  /// A text as it stands in statements.
  public static func literal(_ text: String) -> String {
    let body = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "''")
    return (body.contains("\\") ? " E'" : "'") + body + "'"
  }
}

import ObjectServer
import PostgresClient

/// A connection to the tables of the directory in PostgreSQL, for the time for which it was lent.
final class PostgresDirectoryConnection: DirectoryConnection {
  let sealer: DirectorySealer
  private let connection: PostgresConnection

  var dialect: SQLDialect { .postgresql }

  init(_ connection: PostgresConnection, _ key: DirectoryKey) throws {
    self.connection = connection
    sealer = try DirectorySealer(key)
  }

  func run(
    _ sql: String, _ values: [DirectoryValue], columns: Int, _ row: ([DirectoryValue]) throws -> Void
  ) throws {
    let result = try connection.query(sql, parameters: values.map(Self.parameter))
    guard columns > 0 else { return }
    let types = (0..<columns).map { result.type($0) }
    for number in 0..<result.count {
      try row((0..<columns).map { Self.value(result, number, $0, types[$0]) })
    }
  }

  /// PostgreSQL looks after its own structure: by checksums of its pages, and `amcheck`.
  func structureProblems() throws -> [String] { [] }

  private static func parameter(_ value: DirectoryValue) -> PostgresParameter {
    switch value {
    case .text(let text?): .text(PostgresText.stored(text))
    case .integer(let number?): .integer(number)
    case .blob(let bytes): .bytes(bytes)
    case .text(nil), .integer(nil): .null
    }
  }

  private static func value(
    _ result: PostgresResult, _ row: Int, _ column: Int, _ type: PostgresType
  ) -> DirectoryValue {
    guard let text = result[row, column] else { return .text(nil) }
    switch type {
    case .bigint: return .integer(Int64(text))
    case .bytea: return .blob(result.bytes(row, column) ?? [])
    case _: return .text(PostgresText.shown(text))
    }
  }
}

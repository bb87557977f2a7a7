import PostgresClient

extension ConnectorEngine {
  /// Runs work in one transaction during which nobody else writes to the tables, and before which everything that others wrote has
  /// come to the realms: what the work writes is exactly what the realms have.
  ///
  /// - Throws: the error of `work`; ``StoppedError`` when the connector is stopped meanwhile; `PostgresError`
  func exclusively(_ tables: [ClassTable], _ work: () async throws -> Void) async throws {
    let connection = try connection
    let names = tables.flatMap { table in [table.sqlName] + table.subTables.map { table.sqlName(of: $0) } }
    try connection.query("BEGIN")
    do {
      isExclusive = true
      defer { isExclusive = false }
      try connection.query("LOCK TABLE \(names.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE")
      try await drain()
      try await work()
      try connection.query("COMMIT")
    } catch {
      if connection.isAlive { _ = try? connection.query("ROLLBACK") }
      throw error
    }
    try await repairDeferred()
  }
}

import PostgresClient

extension RowWrites {
  /// Writes one row, and those beside it, in the running transaction.
  ///
  /// - Parameters:
  ///   - path: the columns that the path of the realm gives.
  ///   - prefix: that of the connector's markers.
  /// - Throws: ``Unfit`` when the table does not take the row; `PostgresError`
  func perform(_ write: Write, path: [String: String], on connection: PostgresConnection, prefix: String) throws {
    let table = tables[write.table]
    guard let row = write.row else { return try delete(write, table, path: path, on: connection, prefix: prefix) }
    if let columns = write.columns {
      let isThere = try update(write, columns, row, table, path: path, on: connection)
      guard !isThere else { return try performBeside(write, table, on: connection, prefix: prefix) }
    }
    let values = row + table.pathColumns.map { path[$0] }
    let changes = table.rowNames.filter { $0 != table.key.name }.map {
      "\(PostgresConnection.quoted($0)) = EXCLUDED.\(PostgresConnection.quoted($0))"
    }
    let scope = table.scope(path, alias: "t.")
    let update = changes.isEmpty ? ["\(table.sqlKey) = EXCLUDED.\(table.sqlKey)"] : changes
    let taken = try connection.query(
      "INSERT INTO \(table.sqlName) AS t (\(table.rowNames.map(PostgresConnection.quoted).joined(separator: ", "))) VALUES ("
        + values.indices.map { "$\($0 + 1)" }.joined(separator: ", ") + ") ON CONFLICT (\(table.sqlKey)) DO UPDATE SET "
        + update.joined(separator: ", ") + (scope.isEmpty ? "" : " WHERE true\(scope)"), values)
    guard taken.affected > 0 else {
      throw Unfit("the table does not take the row: its key belongs to another realm, or a trigger refuses it")
    }
    try performBeside(write, table, on: connection, prefix: prefix)
  }

  /// - Returns: whether there is such a row.
  private func update(
    _ write: Write, _ columns: [Int], _ row: [String?], _ table: ClassTable, path: [String: String],
    on connection: PostgresConnection
  ) throws -> Bool {
    let condition = "\(table.sqlKey) = $1\(table.scope(path))"
    guard !columns.isEmpty else {
      return try connection.query("SELECT 1 FROM \(table.sqlName) WHERE \(condition) FOR UPDATE", [write.key]).count > 0
    }
    let changes = columns.enumerated().map { "\(PostgresConnection.quoted(table.columns[$1].name)) = $\($0 + 2)" }
    return try connection.query(
      "UPDATE \(table.sqlName) SET \(changes.joined(separator: ", ")) WHERE \(condition)",
      [write.key] + columns.map { row[$0] }
    ).affected > 0
  }

  /// Writes what is different of the rows beside, and leaves the digest of all of them in the transaction.
  private func performBeside(
    _ write: Write, _ table: ClassTable, on connection: PostgresConnection, prefix: String
  ) throws {
    for (number, rows) in write.beside {
      let sub = table.subTables[number]
      let name = table.sqlName(of: sub)
      let columns = sub.columns.map { PostgresConnection.quoted($0.name) }.joined(separator: ", ")
      let there = try connection.query(
        "SELECT \(sub.isList ? "idx" : "0"), \(columns) FROM \(name) WHERE oid = $1\(sub.isList ? " ORDER BY idx" : "")",
        [write.key])
      guard there.count > 0 || !rows.isEmpty else { continue }
      let difference = ListRows.difference(
        (0..<there.count).map { (there[$0, 0].flatMap { Int($0) } ?? 0, Array(there.row($0).dropFirst())) }, rows)
      if !difference.gone.isEmpty {
        try connection.query(
          "DELETE FROM \(name) WHERE oid = $1" + (sub.isList ? " AND idx = ANY($2::bigint[])" : ""),
          [write.key] + (sub.isList ? [ArrayText.text(difference.gone.map { "\($0)" })] : []))
      }
      try insert(difference.new, sub, into: name, write.key, on: connection)
      try connection.query(
        "SELECT pg_logical_emit_message(true, $1, $2)",
        [prefix + " rows", "\(sub.name)\t\(ListRows.digest(rows))\t\(write.key)"])
    }
  }

  private func insert(
    _ rows: [(index: Int, texts: [String?])], _ sub: SubTable, into name: String, _ owner: String,
    on connection: PostgresConnection
  ) throws {
    let names = sub.rowNames.map(PostgresConnection.quoted).joined(separator: ", ")
    // A statement has at most 65,535 parameters.
    let portion = max(1, 8_192 / max(1, sub.columns.count))
    for start in stride(from: 0, to: rows.count, by: portion) {
      var values: [String?] = [owner]
      let lines = rows[start..<min(rows.count, start + portion)].map { row in
        let texts = row.texts.map { text in
          values.append(text)
          return "$\(values.count)"
        }
        return "(" + (["$1"] + (sub.isList ? ["\(row.index)"] : []) + texts).joined(separator: ", ") + ")"
      }
      try connection.query("INSERT INTO \(name) (\(names)) VALUES \(lines.joined(separator: ", "))", values)
    }
  }

  private func delete(
    _ write: Write, _ table: ClassTable, path: [String: String], on connection: PostgresConnection, prefix: String
  ) throws {
    let condition = "\(table.sqlKey) = $1\(table.scope(path))"
    let isThere =
      try connection.query(
        "SELECT 1 FROM \(table.sqlName) WHERE \(condition) FOR UPDATE", [write.key]
      ).count > 0
    guard isThere else {
      // A row that comes before this transaction ends must not stay unseen.
      try connection.query(
        "SELECT pg_logical_emit_message(true, $1, $2)", [prefix + " gone", "\(table.name)\t\(write.key)"])
      return
    }
    for other in tables {
      // Links to an object that is gone are null.
      for column in other.columns { try unlink(column, other.sqlName, table, write.key, on: connection) }
      for sub in other.subTables where sub.isEmbedded {
        for column in sub.columns { try unlink(column, other.sqlName(of: sub), table, write.key, on: connection) }
      }
    }
    for sub in table.subTables {
      try connection.query("DELETE FROM \(table.sqlName(of: sub)) WHERE oid = $1", [write.key])
    }
    let gone = try connection.query("DELETE FROM \(table.sqlName) WHERE \(condition)", [write.key])
    guard gone.affected > 0 else { throw Unfit("the table keeps the row of an object that is gone, as by a trigger") }
  }

  private func unlink(
    _ column: Column, _ name: String, _ target: ClassTable, _ key: String, on connection: PostgresConnection
  ) throws {
    guard case .link(target.className, _) = column.form else { return }
    let column = PostgresConnection.quoted(column.name)
    try connection.query("UPDATE \(name) SET \(column) = NULL WHERE \(column) = $1", [key])
  }
}

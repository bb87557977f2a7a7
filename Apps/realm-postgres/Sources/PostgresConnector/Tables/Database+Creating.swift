import DataModel
import PostgresClient

extension Database {
  /// Makes tables, columns, constraints and indexes that are missing.
  ///
  /// - Parameter found: what there is.
  /// - Throws: `PostgresError`
  func create(_ tables: [ClassTable], found: [String: [String: TablePlan.Found]]) throws {
    if found.isEmpty {
      try connection.query("CREATE SCHEMA IF NOT EXISTS \(PostgresConnection.quoted(configuration.namespace))")
    }
    var later: [String] = []
    for table in tables {
      if let known = found[table.name] {
        for column in table.columns where known[column.name] == nil {
          try connection.query("ALTER TABLE \(table.sqlName) ADD COLUMN \(definition(column))")
          later += links(column, of: table.sqlName, tables)
        }
      } else {
        let path = table.pathColumns.map { PostgresConnection.quoted($0) + " text NOT NULL" }
        let columns = table.columns.map { definition($0) + ($0.name == table.key.name ? " NOT NULL" : "") }
        try connection.query(
          "CREATE TABLE \(table.sqlName) (\((columns + path).joined(separator: ", ")), PRIMARY KEY (\(table.sqlKey)))")
        for column in table.columns { later += links(column, of: table.sqlName, tables) }
      }
    }
    for table in tables {
      for sub in table.subTables {
        if let known = found[sub.name] {
          for column in sub.columns where known[column.name] == nil {
            try connection.query("ALTER TABLE \(table.sqlName(of: sub)) ADD COLUMN \(definition(column))")
            later += links(column, of: table.sqlName(of: sub), tables)
          }
        } else {
          later += try create(sub, of: table, tables)
        }
      }
    }
    for statement in later { try connection.query(statement) }
  }

  private func create(_ sub: SubTable, of table: ClassTable, _ tables: [ClassTable]) throws -> [String] {
    let name = table.sqlName(of: sub)
    let owner =
      "oid \(table.key.sqlType) NOT NULL REFERENCES \(table.sqlName) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
    let columns = [owner] + (sub.isList ? ["idx integer NOT NULL"] : []) + sub.columns.map(definition)
    try connection.query(
      "CREATE TABLE \(name) (\(columns.joined(separator: ", ")), "
        + "PRIMARY KEY (\(sub.isList ? "oid, idx" : "oid")) DEFERRABLE)")
    return sub.columns.flatMap { column in
      links(column, of: name, tables, onDelete: sub.isEmbedded ? "SET NULL" : "CASCADE")
    }
  }

  private func definition(_ column: Column) -> String {
    PostgresConnection.quoted(column.name) + " " + column.sqlType
  }

  /// The foreign key of a link and its index.
  private func links(
    _ column: Column, of table: String, _ tables: [ClassTable], onDelete: String = "SET NULL"
  ) -> [String] {
    guard case .link(let target, _) = column.form, let other = tables.first(where: { $0.className == target }) else {
      return []
    }
    let name = PostgresConnection.quoted(column.name)
    return [
      "ALTER TABLE \(table) ADD FOREIGN KEY (\(name)) REFERENCES \(other.sqlName) ON DELETE \(onDelete) "
        + "DEFERRABLE INITIALLY DEFERRED",
      "CREATE INDEX ON \(table) (\(name))",
    ]
  }
}

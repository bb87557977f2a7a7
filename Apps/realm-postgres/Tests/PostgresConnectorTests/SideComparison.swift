import DataModel
import PostgresClient
import RecordStore

@testable import PostgresConnector

/// Reads both sides on ways of its own, and compares them.
struct SideComparison {
  private let configuration: ConnectorConfiguration
  private let connection: PostgresConnection

  init(_ configuration: ConnectorConfiguration, _ connection: PostgresConnection) {
    self.configuration = configuration
    self.connection = connection
  }

  /// The first difference between a realm and its rows; nil when they are equal.
  func difference(_ path: String, _ contents: RealmContents) throws -> String? {
    try connection.query("SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET extra_float_digits = 1")
    for table in try tables() {
      guard let columns = table.template.columns(of: path) else { continue }
      let there = try rows(table, columns)
      var here: [ObjectKey: [String: StateDump.Item]] = [:]
      if contents.schema[table.className] != nil {
        try contents.forEachObject(of: table.className) { record in
          here[record.key] = record.fields.mapValues(\.comparable)
          return true
        }
      }
      for key in Set(here.keys).union(there.keys) where here[key] != there[key] {
        let names = Set((here[key] ?? [:]).keys).union((there[key] ?? [:]).keys).filter {
          here[key]?[$0] != there[key]?[$0]
        }
        return names.sorted().map { name in
          "\(table.className)[\(key)].\(name) is \(here[key]?[name].map { "\($0)" } ?? "nothing") here, "
            + "\(there[key]?[name].map { "\($0)" } ?? "nothing") there"
        }.joined(separator: "; ")
      }
    }
    return nil
  }

  private func tables() throws -> [ClassTable] {
    let rows = try connection.query(
      """
      SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), t.typcategory = 'A', t.typtype = 'e'
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_type t ON t.oid = a.atttypid WHERE n.nspname = $1 AND a.attnum > 0 AND NOT a.attisdropped
      """, [configuration.namespace])
    var found: [String: [String: TablePlan.Found]] = [:]
    for row in 0..<rows.count {
      found[rows[row, 0] ?? "", default: [:]][rows[row, 1] ?? ""] = TablePlan.Found(
        type: rows[row, 2] ?? "", isArray: rows[row, 3] == "t", isEnum: rows[row, 4] == "t")
    }
    return try TablePlan(configuration: configuration, found: found).tables()
  }

  private func rows(
    _ table: ClassTable, _ path: [String: String]
  ) throws -> [ObjectKey: [String: StateDump.Item]] {
    let names = table.columns.map { PostgresConnection.quoted($0.name) }.joined(separator: ", ")
    let result = try connection.query("SELECT \(names) FROM \(table.sqlName) WHERE true\(table.scope(path))")
    var rows: [ObjectKey: [String: StateDump.Item]] = [:]
    for number in 0..<result.count {
      var fields: [String: StateDump.Item] = [:]
      for (column, text) in zip(table.columns, result.row(number)) {
        fields[column.property.name] = try column.item(text).comparable
      }
      let key = try table.reference(result[number, 0] ?? "").key
      for sub in table.subTables { fields[sub.property.name] = sub.item([]) }
      rows[key] = fields
    }
    for sub in table.subTables {
      let names = sub.columns.map { PostgresConnection.quoted($0.name) }.joined(separator: ", ")
      let result = try connection.query(
        "SELECT oid, \(names) FROM \(table.sqlName(of: sub))" + (sub.isList ? " ORDER BY oid, idx" : ""))
      var elements: [ObjectKey: [StateDump.Item]] = [:]
      for number in 0..<result.count {
        let key = try table.reference(result[number, 0] ?? "").key
        elements[key, default: []].append(try sub.element(Array(result.row(number).dropFirst())).comparable)
      }
      for (key, items) in elements where rows[key] != nil { rows[key]?[sub.property.name] = sub.item(items) }
    }
    return rows
  }
}

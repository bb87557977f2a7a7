import DataModel
import SQLiteDatabase

/// A table of a database that another program made, and the class of its rows.
struct ForeignTable {
  /// The name of the table, and those of its columns by property.
  var name: String
  var columns: [String: String]
  var object: ObjectSchema

  /// All tables of a database as classes. A single column that is the primary key is that of the class; a foreign key to such
  /// a one is a link. Types come from the values, and from the declared types where those say more: `BOOLEAN`, `DATE`.
  ///
  /// - Complexity: O(*n*) in the values.
  static func all(
    of connection: SQLiteConnection, file: String, _ progress: (_ rows: Int) throws -> Void
  ) throws -> [ForeignTable] {
    let select = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
    var names: [String] = []
    while try select.step() { names.append(select.text(at: 0) ?? "") }
    guard !names.isEmpty else { throw ExchangeError("the database has no table.", file: file) }
    var rows = 0
    var tables: [ForeignTable] = []
    for (name, unique) in zip(names, InferredName.unique(names)) {
      let made = InferredName.name(unique, limit: InferredName.classLimit)
      let count = try connection.integer("SELECT count(*) FROM \(SQLiteNames.quoted(name))") ?? 0
      tables.append(try table(name, className: made, connection))
      rows += Int(count)
      try progress(rows)
    }
    return try tables.map { try $0.linked(to: tables, connection) }
  }

  private static func table(
    _ name: String, className: String, _ connection: SQLiteConnection
  ) throws -> ForeignTable {
    let info = try connection.prepare("SELECT name, type, pk FROM pragma_table_info(?)")
    try info.bind(1, name)
    var columns: [(name: String, declared: String, key: Int64)] = []
    while try info.step() {
      columns.append((info.text(at: 0) ?? "", (info.text(at: 1) ?? "").uppercased(), info.int(at: 2)))
    }
    let keys = columns.filter { $0.key > 0 }
    var table = ForeignTable(name: name, columns: [:], object: ObjectSchema(className: className, properties: []))
    var properties: [Property] = []
    var primaryKey: String?
    for (column, property) in zip(columns, InferredName.unique(columns.map(\.name))) {
      table.columns[property] = column.name
      let (type, hasNull) = try type(column.name, column.declared, of: name, connection)
      let isKey = keys.count == 1 && column.key > 0 && !hasNull && (type == .int || type == .string)
      if isKey { primaryKey = property }
      properties.append(Property(name: property, type: type, isOptional: hasNull, isIndexed: isKey))
    }
    table.object = ObjectSchema(className: className, primaryKey: primaryKey, properties: properties)
    return table
  }

  /// The type of a column by the classes of its values.
  private static func type(
    _ column: String, _ declared: String, of table: String, _ connection: SQLiteConnection
  ) throws -> (PropertyType, hasNull: Bool) {
    let (column, table) = (SQLiteNames.quoted(column), SQLiteNames.quoted(table))
    let counts = try connection.prepare("SELECT typeof(\(column)), count(*) FROM \(table) GROUP BY 1")
    var kinds: Set<String> = []
    while try counts.step() { kinds.insert(counts.text(at: 0) ?? "null") }
    let hasNull = kinds.remove("null") != nil
    switch kinds {
    case []: return (declaredType(declared), hasNull)
    case ["integer"]:
      guard declared.hasPrefix("BOOL") else { return (.int, hasNull) }
      let others = try connection.integer("SELECT count(*) FROM \(table) WHERE \(column) NOT IN (0, 1)") ?? 0
      return (others == 0 ? .bool : .int, hasNull)
    case ["real"], ["integer", "real"]: return (.double, hasNull)
    case ["blob"]: return (.data, hasNull)
    case ["text"] where declared.hasPrefix("DATE") || declared.hasPrefix("TIMESTAMP") || declared == "UUID":
      var inference = ColumnInference()
      let values = try connection.prepare("SELECT \(column) FROM \(table)")
      while try values.step() { inference.take(values.text(at: 0)) }
      return (inference.type == .date || inference.type == .UUID ? inference.type : .string, hasNull)
    default: return (.string, hasNull)
    }
  }

  private static func declaredType(_ declared: String) -> PropertyType {
    if declared.hasPrefix("BOOL") { return .bool }
    if declared.contains("INT") { return .int }
    if declared.contains("BLOB") { return .data }
    return ["REAL", "FLOA", "DOUB"].contains { declared.contains($0) } ? .double : .string
  }

  /// The table with links in place of the foreign keys that name the key of another one.
  private func linked(to tables: [ForeignTable], _ connection: SQLiteConnection) throws -> ForeignTable {
    let list = try connection.prepare("SELECT \"table\", \"from\", \"to\", id FROM pragma_foreign_key_list(?)")
    try list.bind(1, name)
    var result = self
    var properties = object.properties
    while try list.step() {
      let (to, from, key) = (list.text(at: 0) ?? "", list.text(at: 1) ?? "", list.text(at: 2))
      guard let target = tables.first(where: { $0.name.lowercased() == to.lowercased() }),
        let targetKey = target.object.primaryKeyProperty,
        key.map({ $0.lowercased() == target.columns[targetKey.name]?.lowercased() }) ?? true,
        let position = properties.firstIndex(where: { columns[$0.name]?.lowercased() == from.lowercased() }),
        properties[position].name != object.primaryKey,
        properties[position].type == targetKey.type
      else { continue }
      properties[position] = Property(
        name: properties[position].name, type: .object, objectClassName: target.object.className, isOptional: true)
    }
    result.object = ObjectSchema(
      className: object.className, primaryKey: object.primaryKey, properties: properties)
    return result
  }
}

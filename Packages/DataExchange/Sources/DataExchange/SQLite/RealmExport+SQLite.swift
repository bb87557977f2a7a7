import DataModel
import Foundation
import RecordStore
import SQLiteDatabase

extension RealmExport {
  func writeSQLite(to path: String) throws -> Int {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw ExchangeError("a file of that name exists; remove it or choose another name.", file: path)
    }
    do {
      let connection = try SQLiteConnection(path: path)
      try connection.execute("PRAGMA synchronous=OFF")
      return try connection.transaction { try writeSQLite(connection) }
    } catch let error as SQLiteError { throw ExchangeError("\(error)", file: path) }
  }

  private func writeSQLite(_ connection: SQLiteConnection) throws -> Int {
    let names = SQLiteNames(contents.schema)
    try connection.execute("CREATE TABLE \(SQLiteNames.schemaTable)(schema_version INTEGER, schema TEXT)")
    let insert = try connection.prepare("INSERT INTO \(SQLiteNames.schemaTable) VALUES (?, ?)")
    try insert.bind(1, Int64(bitPattern: contents.schemaVersion)).bind(2, SchemaText.json(contents.schema)).run()
    var count = 0
    for object in classes { count += try SQLiteClassWriter(self, object, names, connection).run() }
    return count
  }
}

/// Writes the objects of one class: a row each, and one per element of their collections.
private struct SQLiteClassWriter {
  let export: RealmExport
  let object: ObjectSchema
  let cells: SQLiteCells
  let singles: [Property]
  let collections: [Property]
  let insert: SQLiteStatement
  let insertElements: [SQLiteStatement]
  let isKeyless: Bool

  init(_ export: RealmExport, _ object: ObjectSchema, _ names: SQLiteNames, _ connection: SQLiteConnection) throws {
    self.export = export
    self.object = object
    cells = SQLiteCells(cells: CellText(codec: export.codec))
    singles = object.properties.filter { $0.collection == .single }
    collections = object.properties.filter { $0.collection != .single }
    isKeyless = object.primaryKey == nil
    var columns = isKeyless ? ["\"$key\" TEXT PRIMARY KEY"] : []
    for property in singles {
      let isKey = property.name == object.primaryKey
      columns.append(
        "\(names.column(property, of: object)) \(cells.columnType(property))" + (isKey ? " UNIQUE" : ""))
    }
    let table = names.table(object)
    try connection.execute("CREATE TABLE \(table)(\(columns.joined(separator: ", ")))")
    for property in singles where property.isIndexed && property.name != object.primaryKey {
      let index = SQLiteNames.quoted(
        "index \(names.tables[object.className] ?? "").\(names.columns[object.className]?[property.name] ?? "")")
      try connection.execute("CREATE INDEX \(index) ON \(table)(\(names.column(property, of: object)))")
    }
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    insert = try connection.prepare("INSERT INTO \(table) VALUES (\(marks))")
    let keyType = object.primaryKeyProperty.map(cells.columnType) ?? "TEXT"
    var inserts: [SQLiteStatement] = []
    for property in collections {
      let side = names.sideTable(property, of: object)
      let place = property.collection == .dictionary ? "key TEXT" : "position INTEGER"
      try connection.execute("CREATE TABLE \(side)(owner \(keyType), \(place), value \(cells.columnType(property)))")
      let index = SQLiteNames.quoted("owner \(names.sideTables[object.className]?[property.name] ?? "")")
      try connection.execute("CREATE INDEX \(index) ON \(side)(owner)")
      inserts.append(try connection.prepare("INSERT INTO \(side) VALUES (?, ?, ?)"))
    }
    insertElements = inserts
  }

  func run() throws -> Int {
    var count = 0
    try export.forEachObject(of: object.className) { record in
      var column = 1
      if isKeyless {
        try cells.bind(record.key, column, insert)
        column += 1
      }
      for property in singles {
        try cells.bind(record.fields[property.name], property, column, insert)
        column += 1
      }
      try insert.run()
      for (property, statement) in zip(collections, insertElements) { try writeElements(record, property, statement) }
      count += 1
    }
    return count
  }

  private func writeElements(_ record: ObjectRecord, _ property: Property, _ statement: SQLiteStatement) throws {
    func write(_ item: StateDump.Item, _ bindIndex: () throws -> Void) throws {
      try cells.bind(record.key, 1, statement)
      try bindIndex()
      try cells.bind(item, property, 3, statement)
      try statement.run()
    }
    switch record.fields[property.name] {
    case .list(let items):
      for (position, item) in items.enumerated() { try write(item) { try statement.bind(2, position) } }
    case .set(let values):
      for (position, value) in values.enumerated() { try write(.value(value)) { try statement.bind(2, position) } }
    case .dictionary(let entries):
      for (key, item) in entries.sorted(by: { $0.key < $1.key }) { try write(item) { try statement.bind(2, key) } }
    case .value, .embedded, nil: break
    }
  }
}

import DataModel
import RecordStore
import SQLiteDatabase

/// A SQLite database as ``RealmExport`` writes it, or one of another program, whose tables become classes.
struct SQLiteSource: RecordSource {
  let path: String
  /// The tables of another program; empty for an export.
  private var foreign: [ForeignTable] = []
  private(set) var schema: Schema?
  private(set) var schemaVersion: UInt64 = 0

  init(path: String) throws {
    self.path = path
    do {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      let known = try connection.integer(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(SQLiteNames.schemaTable)'")
      guard known == 1 else {
        foreign = try ForeignTable.all(of: connection, file: path) { _ in }
        return
      }
      schemaVersion = UInt64(
        bitPattern: try connection.integer("SELECT schema_version FROM \(SQLiteNames.schemaTable)") ?? 0)
      let text = try connection.text("SELECT schema FROM \(SQLiteNames.schemaTable)") ?? "[]"
      schema = try SchemaText.schema(try JSONReader.value(of: text), file: path)
    } catch let error as SQLiteError { throw ExchangeError("\(error)", file: path) }
  }

  /// The rows of all tables.
  var size: Int {
    guard let connection = try? SQLiteConnection(path: path, mode: .readOnly) else { return 0 }
    return tables(of: schema).reduce(0) { sum, table in
      sum + Int((try? connection.integer("SELECT count(*) FROM \(table.quoted)")) ?? 0)
    }
  }

  func inferredClasses(
    beside known: Schema, _ progress: (_ offset: Int) throws -> Void
  ) throws -> [ObjectSchema] {
    foreign.map(\.object).filter { known[$0.className] == nil }
  }

  /// A table and the class of its rows.
  private struct Table {
    var object: ObjectSchema
    var name: String
    var columns: [String: String]
    var isExport: Bool
    var quoted: String { SQLiteNames.quoted(name) }
  }

  private func tables(of schema: Schema?) -> [Table] {
    guard let schema else {
      return foreign.map { Table(object: $0.object, name: $0.name, columns: $0.columns, isExport: false) }
    }
    let names = SQLiteNames(schema)
    return schema.objectSchema.filter { $0.kind != .embedded }.map { object in
      Table(
        object: object, name: names.tables[object.className] ?? object.className,
        columns: names.columns[object.className] ?? [:], isExport: true)
    }
  }

  func forEachRecord(_ classes: Schema, _ body: (IncomingRecord) throws -> Void) throws {
    let names = SQLiteNames(schema ?? Schema())
    let cells = SQLiteCells(cells: CellText(codec: JSONCodec(classes)))
    var rows = 0
    do {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      for table in tables(of: schema) {
        let known = try connection.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?")
        try known.bind(1, table.name)
        guard try known.step(), known.int(at: 0) == 1 else { continue }
        let object = try declared(table.object, table.isExport, classes)
        let reader = try SQLiteClassReader(
          object, table.quoted, table.columns, table.isExport ? names : nil, cells, connection, path)
        try reader.forEachRecord { record in
          rows += 1
          var record = record
          record.offset = rows
          try body(record)
        }
      }
    } catch let error as SQLiteError { throw ExchangeError("\(error)", file: path) }
  }

  /// The class as the realm declares it, for a table of another program.
  private func declared(_ object: ObjectSchema, _ isExport: Bool, _ classes: Schema) throws -> ObjectSchema {
    guard !isExport else { return object }
    guard let known = classes[object.className], known.kind != .embedded else {
      throw InferredClass.unknown(object.className, classes, file: path)
    }
    guard let missing = object.properties.first(where: { known[$0.name] == nil }) else {
      return ObjectSchema(
        className: known.className, primaryKey: known.primaryKey,
        properties: object.properties.compactMap { known[$0.name] })
    }
    throw ExchangeError("\(object.className) has no property '\(missing.name)'.", file: path)
  }
}

/// Reads the objects of one class with their collections.
private struct SQLiteClassReader {
  let object: ObjectSchema
  let cells: SQLiteCells
  let path: String
  let singles: [Property]
  let collections: [(property: Property, select: SQLiteStatement)]
  let select: SQLiteStatement

  private let hasKeyColumn: Bool

  /// - Parameter names: those of the tables of collections; nil for a table of another program, which has none.
  init(
    _ object: ObjectSchema, _ table: String, _ columns: [String: String], _ names: SQLiteNames?, _ cells: SQLiteCells,
    _ connection: SQLiteConnection, _ path: String
  ) throws {
    self.object = object
    self.cells = cells
    self.path = path
    hasKeyColumn = names != nil && object.primaryKey == nil
    singles = object.properties.filter { $0.collection == .single }
    let read = singles.map { SQLiteNames.quoted(columns[$0.name] ?? $0.name) }
    select = try connection.prepare(
      "SELECT \(((hasKeyColumn ? ["\"$key\""] : []) + read).joined(separator: ", ")) FROM \(table)")
    guard let names else {
      collections = []
      return
    }
    collections = try object.properties.filter { $0.collection != .single }.map { property in
      let side = names.sideTable(property, of: object)
      let place = property.collection == .dictionary ? "key" : "position"
      return (
        property,
        try connection.prepare("SELECT \(place), value FROM \(side) WHERE owner IS ? ORDER BY \(place)")
      )
    }
  }

  func forEachRecord(_ body: (IncomingRecord) throws -> Void) throws {
    defer { select.reset() }
    var number = 0
    while try select.step() {
      let place = "\(object.className)[\(number)]"
      number += 1
      var record = IncomingRecord(
        className: object.className, key: nil, fields: .success([:]),
        origin: ExchangeError("", file: path, place: place))
      do { try read(place, into: &record) } catch let misfit as Misfit {
        record.fields = .failure(ExchangeError(misfit.message, file: path, place: misfit.place))
      } catch let error as ExchangeError {
        record.fields = .failure(ExchangeError(error.message, file: path, place: place))
      }
      try body(record)
    }
  }

  private func read(_ place: String, into record: inout IncomingRecord) throws {
    var fields: [String: StateDump.Item] = [:]
    var column = 0
    if hasKeyColumn {
      guard let text = select.text(at: 0), let key = KeyText.key(text, of: object) else {
        throw ExchangeError("column $key: expected \(KeyText.expectation(object)).")
      }
      record.key = key
      column = 1
    }
    for property in singles {
      fields[property.name] = try cells.item(column, property, select, "\(place).\(property.name)")
      column += 1
    }
    if let key = try IncomingRecord.key(fields, object) { record.key = key }
    for (property, elements) in collections {
      guard let key = record.key else { break }
      defer { elements.reset() }
      try cells.bind(key, 1, elements)
      fields[property.name] = try items(property, elements, "\(place).\(property.name)")
    }
    record.fields = .success(fields)
  }

  private func items(_ property: Property, _ elements: SQLiteStatement, _ place: String) throws -> StateDump.Item {
    var list: [StateDump.Item] = []
    var entries: [String: StateDump.Item] = [:]
    while try elements.step() {
      let item = try cells.item(1, property, elements, place)
      if property.collection == .dictionary {
        entries[String(decoding: elements.bytes(at: 0), as: UTF8.self)] = item
      } else {
        list.append(item)
      }
    }
    switch property.collection {
    case .dictionary: return .dictionary(entries)
    case .set:
      return .set(
        Set(
          list.compactMap { item in
            if case .value(let value) = item { return value }
            return nil
          }))
    case .single, .list: return .list(list)
    }
  }
}

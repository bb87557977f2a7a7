import DataModel
import RecordStore
import SQLiteDatabase

/// A SQLite database as ``RealmExport`` writes it.
struct SQLiteSource: RecordSource {
  let path: String
  private(set) var schema: Schema?
  private(set) var schemaVersion: UInt64 = 0

  init(path: String) throws {
    self.path = path
    do {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      let known = try connection.integer(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(SQLiteNames.schemaTable)'")
      guard known == 1 else {
        throw ExchangeError(
          "the database has no table \(SQLiteNames.schemaTable), so that its tables cannot be told to be classes.",
          file: path)
      }
      schemaVersion = UInt64(
        bitPattern: try connection.integer("SELECT schema_version FROM \(SQLiteNames.schemaTable)") ?? 0)
      let text = try connection.text("SELECT schema FROM \(SQLiteNames.schemaTable)") ?? "[]"
      schema = try SchemaText.schema(try JSONReader.value(of: text), file: path)
    } catch let error as SQLiteError { throw ExchangeError("\(error)", file: path) }
  }

  func forEachRecord(_ classes: Schema, _ body: (IncomingRecord) throws -> Void) throws {
    guard let schema else { return }
    let names = SQLiteNames(schema)
    let cells = SQLiteCells(cells: CellText(codec: JSONCodec(classes)))
    do {
      let connection = try SQLiteConnection(path: path, mode: .readOnly)
      for object in schema.objectSchema where object.kind != .embedded {
        let known = try connection.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?")
        try known.bind(1, names.tables[object.className])
        guard try known.step(), known.int(at: 0) == 1 else { continue }
        try SQLiteClassReader(object, names, cells, connection, path).forEachRecord(body)
      }
    } catch let error as SQLiteError { throw ExchangeError("\(error)", file: path) }
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

  init(
    _ object: ObjectSchema, _ names: SQLiteNames, _ cells: SQLiteCells, _ connection: SQLiteConnection, _ path: String
  ) throws {
    self.object = object
    self.cells = cells
    self.path = path
    singles = object.properties.filter { $0.collection == .single }
    let columns = (object.primaryKey == nil ? ["\"$key\""] : []) + singles.map { names.column($0, of: object) }
    select = try connection.prepare("SELECT \(columns.joined(separator: ", ")) FROM \(names.table(object))")
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
    if object.primaryKey == nil {
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
    guard let key = record.key else { return }
    for (property, elements) in collections {
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

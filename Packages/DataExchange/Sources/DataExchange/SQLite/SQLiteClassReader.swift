import DataModel
import RecordStore
import SQLiteDatabase

/// Reads the objects of one class with their collections.
final class SQLiteClassReader {
  private let object: ObjectSchema
  private let cells: SQLiteCells
  private let path: String
  private let singles: [Property]
  private let collections: [(property: Property, select: SQLiteStatement)]
  private let select: SQLiteStatement
  private let hasKeyColumn: Bool
  private var number = 0

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

  /// The next row; nil at the end.
  func next() throws -> IncomingRecord? {
    guard try select.step() else {
      select.reset()
      return nil
    }
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
    return record
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

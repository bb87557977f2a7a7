import DataModel
import RecordStore
import SQLiteDatabase

/// Values in columns: integers, reals and blobs as such, everything else as the text of a cell.
struct SQLiteCells {
  let cells: CellText

  /// The type to declare a column of a property's values with.
  func columnType(_ property: Property) -> String {
    switch property.type {
    case .int, .bool: return "INTEGER"
    case .float, .double: return "REAL"
    case .data: return "BLOB"
    case .object:
      guard let target = cells.codec.classes[property.objectClassName ?? ""], target.kind != .embedded else {
        return "TEXT"
      }
      return target.primaryKeyProperty?.type == .int ? "INTEGER" : "TEXT"
    case .string, .date, .any, .linkingObjects, .objectId, .decimal128, .UUID: return "TEXT"
    }
  }

  func bind(_ item: StateDump.Item?, _ property: Property, _ index: Int, _ statement: SQLiteStatement) throws {
    guard let item else { return _ = try statement.bindNull(index) }
    guard case .value(let value) = item, property.type != .any else {
      return _ = try statement.bind(index, text(item, property))
    }
    switch value {
    case .null: try statement.bindNull(index)
    case .int(let value): try statement.bind(index, value)
    case .bool(let value): try statement.bind(index, value ? 1 : 0)
    case .float(let value) where !value.isNaN: try statement.bind(index, Double(value))
    case .double(let value) where !value.isNaN: try statement.bind(index, value)
    case .data(let bytes): try statement.bind(index, bytes)
    case .link(let reference): try bind(reference, property, index, statement)
    case .float, .double, .string, .timestamp, .decimal128, .objectId, .uuid, .list, .dictionary:
      try statement.bind(index, text(item, property))
    }
  }

  private func text(_ item: StateDump.Item, _ property: Property) -> String? {
    var single = property
    single.collection = .single
    // A null inside a mixed collection must not be confused with a missing row.
    return cells.text(item, single)
  }

  private func bind(
    _ reference: ObjectReference, _ property: Property, _ index: Int, _ statement: SQLiteStatement
  ) throws {
    if property.objectClassName != nil, case .int(let key) = reference.key { return _ = try statement.bind(index, key) }
    try statement.bind(index, text(.value(.link(reference)), property))
  }

  /// The key of an object, as links to it have it.
  func bind(_ key: ObjectKey, _ index: Int, _ statement: SQLiteStatement) throws {
    if case .int(let value) = key { return _ = try statement.bind(index, value) }
    try statement.bind(index, KeyText.text(key))
  }

  /// The value of a column in the current row.
  func item(_ column: Int, _ property: Property, _ statement: SQLiteStatement, _ place: String) throws -> StateDump.Item
  {
    var single = property
    single.collection = .single
    let nowhere = TextPosition()
    if statement.isNull(at: column) { return try cells.item(nil, single, at: nowhere, place) }
    switch property.type {
    case .int: return .value(.int(statement.int(at: column)))
    case .bool: return .value(.bool(statement.int(at: column) != 0))
    case .data: return .value(.data(statement.bytes(at: column)))
    case .float, .double:
      let number = statement.double(at: column)
      // SQLite has no NaN, so that it is stored as text, which reads as 0.
      let isNaN = number == 0 && statement.text(at: column) == "NaN"
      if property.type == .float { return .value(.float(isNaN ? .nan : Float(number))) }
      return .value(.double(isNaN ? .nan : number))
    case .string, .date, .object, .any, .linkingObjects, .objectId, .decimal128, .UUID:
      guard let text = String(validating: statement.bytes(at: column), as: UTF8.self) else {
        throw Misfit("the text is no valid UTF-8.", JSONNode(content: .null, position: nowhere), place)
      }
      return try cells.item(text, single, at: nowhere, place)
    }
  }
}

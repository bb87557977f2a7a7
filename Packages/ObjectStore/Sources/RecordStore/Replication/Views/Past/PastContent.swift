import DataModel
import StorageEngine

/// The content of one field of one row at a past version: links by the rows of that version, negative for links to objects
/// that did not exist then.
enum PastContent {
  case single(StoredValue)
  case list([StoredValue])
  case set([StoredValue])
  /// In the order of the bytes of the keys.
  case dictionary([(key: String, value: StoredValue)])

  /// The content of a field of a new object.
  init(initialOf field: FieldLayout) {
    switch field.collection {
    case .single: self = .single(StoredValue(field.initialValue) ?? .null)
    case .list: self = .list([])
    case .set: self = .set([])
    case .dictionary: self = .dictionary([])
    }
  }

  /// The content of a field at present, its values put through a function.
  init(_ cell: Cell, in readView: ReadView, _ change: (StoredValue) throws -> StoredValue) throws {
    switch cell.field.collection {
    case .single: self = .single(try change(try readView.value(cell)))
    case .list: self = .list(try readView.list(cell).elements().map(change))
    case .set: self = .set(try readView.entries(cell).map { try change($0.value) })
    case .dictionary:
      self = .dictionary(
        try readView.entries(cell).map { (String(decoding: $0.key, as: UTF8.self), try change($0.value)) })
    }
  }

  /// The values, elements or entries.
  var values: [StoredValue] {
    switch self {
    case .single(let value): [value]
    case .list(let values), .set(let values): values
    case .dictionary(let entries): entries.map(\.value)
    }
  }

  /// The content as queries see it.
  func queryValue(_ value: (StoredValue) throws -> Value) rethrows -> Value {
    switch self {
    case .single(let single): return try value(single)
    case .list(let elements), .set(let elements): return .list(try elements.map(value))
    case .dictionary(let entries):
      var values: [String: Value] = [:]
      for (key, entry) in entries { values[key] = try value(entry) }
      return .dictionary(values)
    }
  }
}

extension StoredValue {
  /// The value with every link, nested ones included, put through a function.
  func mappingLinks(_ change: (ClassRow) throws -> RowKey) rethrows -> StoredValue {
    switch self {
    case .link(let table, let row): .link(table, try change(ClassRow(table: table, row: row)))
    case .list(let elements): .list(try elements.map { try $0.mappingLinks(change) })
    case .dictionary(let entries): .dictionary(try entries.mapValues { try $0.mappingLinks(change) })
    default: self
    }
  }
}

import ChangesetOT
import DataModel
import StorageEngine

extension StoredValue {
  /// The same value, for everything but links and collections.
  package var scalar: Value? {
    switch self {
    case .null: .null
    case .int(let value): .int(value)
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .timestamp(let value): .timestamp(value)
    case .decimal128(let value): .decimal128(value)
    case .objectId(let value): .objectId(value)
    case .uuid(let value): .uuid(value)
    case .link, .list, .dictionary: nil
    }
  }

  /// The stored form of a value; nil for links, which need the file to find their row.
  package init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .int(let value): self = .int(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(value)
    case .timestamp(let value): self = .timestamp(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .decimal128(let value): self = .decimal128(value)
    case .objectId(let value): self = .objectId(value)
    case .uuid(let value): self = .uuid(value)
    case .link, .list, .dictionary: return nil
    }
  }

  /// Every link in the value, nested ones included.
  package var links: [(table: TableID, row: RowKey)] {
    switch self {
    case .link(let table, let row): [(table, row)]
    case .list(let elements): elements.flatMap(\.links)
    case .dictionary(let entries): entries.values.flatMap(\.links)
    default: []
    }
  }

  /// Whether ``links`` has any; quicker to ask.
  var mayLink: Bool {
    switch self {
    case .link, .list, .dictionary: true
    default: false
    }
  }
}

extension ReadView {
  /// The value as the data model says it: links by class and key, unresolved ones included.
  package func value(_ stored: StoredValue) throws -> Value {
    switch stored {
    case .link(let table, let row): try reference(table, row).map { .link($0) } ?? .null
    case .list(let elements): .list(try elements.map(value))
    case .dictionary(let entries): .dictionary(try entries.mapValues(value))
    default: stored.scalar ?? .null
    }
  }

  /// The payload that writes a value; collections give the marker that makes them.
  func payload(_ stored: StoredValue) throws -> Payload {
    switch stored {
    case .list: .list
    case .dictionary: .dictionary
    default: Payload(try value(stored)) ?? .null
    }
  }
}

extension StoredValue {
  /// The kind of a collection inside a mixed value; nil for other values.
  package var collectionKind: CollectionKind? {
    switch self {
    case .list: .list
    case .dictionary: .dictionary
    default: nil
    }
  }
}

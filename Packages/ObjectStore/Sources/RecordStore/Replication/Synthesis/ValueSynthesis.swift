import ChangesetOT
import DataModel
import StorageEngine

/// Writes the instructions that make the values of one field of one object.
struct ValueSynthesis {
  let readView: ReadView
  let table: InternedString
  let key: ObjectKey
  let field: InternedString

  /// Writes a value with everything in it. A path that ends in an index appends to a list of that size.
  func write(_ value: StoredValue, _ path: [PathElement], _ piece: inout ChangesetWriter) throws {
    try put(try payload(of: value), path, &piece)
    switch value {
    case .link(let table, let row):
      if let layout = readView.catalog[table], layout.kind == .embedded { try writeFields(row, layout, path, &piece) }
    case .list(let elements):
      for (position, element) in elements.enumerated() {
        try write(element, path + [.index(UInt32(position))], &piece)
      }
    case .dictionary(let entries):
      for (name, entry) in entries.sorted(by: { $0.key < $1.key }) { try write(entry, path + [.name(name)], &piece) }
    default: break
    }
  }

  /// Writes an entry of a dictionary, or a member of a set, by its key in the stored map.
  func writeEntry(
    _ key: [UInt8], _ value: StoredValue, _ field: FieldLayout, _ path: [PathElement], _ piece: inout ChangesetWriter
  ) throws {
    guard field.collection == .set else {
      return try write(value, path + [.name(String(decoding: key, as: UTF8.self))], &piece)
    }
    piece.setInsert(table, self.key, self.field, path: path, payload: try readView.payload(value))
  }

  /// Writes the fields of an embedded object.
  private func writeFields(
    _ row: RowKey, _ layout: ClassLayout, _ path: [PathElement], _ piece: inout ChangesetWriter
  ) throws {
    for field in layout.fields {
      let cell = Cell(layout, row, field)
      let place = path + [.name(field.name)]
      switch field.collection {
      case .single:
        let value = try readView.value(cell)
        if !value.isInitial(in: field) { try write(value, place, &piece) }
      case .list:
        try readView.list(cell).forEach { position, value in
          try write(value, place + [.index(UInt32(position))], &piece)
          return true
        }
      case .set, .dictionary:
        try readView.map(cell).forEach { key, value in
          try writeEntry(key, value, field, place, &piece)
          return true
        }
      }
    }
  }

  private func payload(of value: StoredValue) throws -> Payload {
    if case .link(let table, _) = value, readView.catalog[table]?.kind == .embedded { return .objectValue }
    return try readView.payload(value)
  }

  private func put(_ payload: Payload, _ path: [PathElement], _ piece: inout ChangesetWriter) throws {
    if case .index(let position)? = path.last {
      piece.arrayInsert(table, key, field, path: path, payload: payload, priorSize: position)
    } else {
      piece.update(table, key, field, path: path, payload: payload)
    }
  }
}

extension StoredValue {
  /// Whether a new object holds exactly this, bit for bit, in a single field.
  func isInitial(in field: FieldLayout) -> Bool {
    if field.isNullable || field.canLink { return self == .null }
    return switch self {
    case .null: true
    case .int(let value): value == 0
    case .bool(let value): !value
    case .float(let value): value.bitPattern == 0
    case .double(let value): value.bitPattern == 0
    case .string(let value): value.isEmpty
    case .data(let value): value.isEmpty
    case .timestamp(let value): value.seconds == 0 && value.nanoseconds == 0
    case .decimal128(let value): value.high == 0 && value.low == 0
    case .objectId(let value): value.bytes.allSatisfy { $0 == 0 }
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { $0.allSatisfy { $0 == 0 } }
    case .link, .list, .dictionary: false
    }
  }
}

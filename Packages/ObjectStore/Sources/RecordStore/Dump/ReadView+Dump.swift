import DataModel
import StorageEngine

extension ReadView {
  /// Everything, as plain values.
  func dump() throws -> StateDump {
    var dump = StateDump()
    for layout in catalog.classes where layout.kind != .embedded {
      var objects: [ObjectKey: [String: StateDump.Item]] = [:]
      for row in try rows(layout) { objects[try key(row, layout)] = try fields(row, layout) }
      dump.objects[layout.name] = objects
    }
    return dump
  }

  package func fields(_ row: RowKey, _ layout: ClassLayout) throws -> [String: StateDump.Item] {
    var fields: [String: StateDump.Item] = [:]
    for field in layout.fields { fields[field.name] = try fieldItem(Cell(layout, row, field)) }
    return fields
  }

  /// The content of a field.
  func fieldItem(_ cell: Cell) throws -> StateDump.Item {
    switch cell.field.collection {
    case .single: return try item(try value(cell))
    case .list: return .list(try elements(cell).map(item))
    case .set: return .set(Set(try elements(cell).map(value)))
    case .dictionary:
      return .dictionary(
        Dictionary(
          try entries(cell).map { (String(decoding: $0.key, as: UTF8.self), try item($0.value)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }

  func item(_ stored: StoredValue) throws -> StateDump.Item {
    if case .link(let table, let row) = stored, let layout = catalog[table], layout.kind == .embedded {
      return .embedded(try fields(row, layout))
    }
    return .value(try value(stored))
  }
}

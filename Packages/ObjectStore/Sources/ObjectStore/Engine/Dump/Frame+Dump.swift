import DataModel
import StorageEngine

extension Frame {
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

  private func fields(_ row: RowKey, _ layout: ClassLayout) throws -> [String: StateDump.Item] {
    var fields: [String: StateDump.Item] = [:]
    for field in layout.fields {
      fields[field.name] =
        switch field.collection {
        case .single: try item(try value(field, row, layout))
        case .list: .list(try elements(field, row, layout).map(item))
        case .set: .set(Set(try elements(field, row, layout).map(value)))
        case .dictionary:
          .dictionary(
            Dictionary(
              try entries(field, row, layout).map { (String(decoding: $0.key, as: UTF8.self), try item($0.value)) },
              uniquingKeysWith: { first, _ in first }))
        }
    }
    return fields
  }

  private func item(_ stored: StoredValue) throws -> StateDump.Item {
    if case .link(let table, let row) = stored, let layout = catalog[table], layout.kind == .embedded {
      return .embedded(try fields(row, layout))
    }
    return .value(try value(stored))
  }
}

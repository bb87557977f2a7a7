import DataModel
import StorageEngine

// Links to objects that do not exist: the file keeps them by name, and they come back with the object. Readers see null.

extension ReadView {
  /// The fields of an object as its readers see them: a link to an object that does not exist is null, and is no element of a list or set
  /// of links.
  ///
  /// - Complexity: that of ``fields(_:_:)``.
  func visibleFields(_ row: RowKey, _ layout: ClassLayout) throws -> [String: StateDump.Item] {
    guard unresolvedCount > 0 else { return try fields(row, layout) }
    var fields: [String: StateDump.Item] = [:]
    for field in layout.fields { fields[field.name] = try visibleItem(Cell(layout, row, field)) }
    return fields
  }

  private func visibleItem(_ cell: Cell) throws -> StateDump.Item {
    switch cell.field.collection {
    case .single: try visible(try value(cell))
    case .list: .list(try visibleElements(cell).map(visible))
    case .set: .set(Set(try visibleElements(cell).map { try value($0.visible) }))
    case .dictionary:
      .dictionary(
        Dictionary(
          try entries(cell).map { (String(decoding: $0.key, as: UTF8.self), try visible($0.value)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }

  private func visibleElements(_ cell: Cell) throws -> [StoredValue] {
    let elements = try elements(cell)
    return cell.field.isFixedLink ? elements.filter { $0.visible == $0 } : elements
  }

  private func visible(_ stored: StoredValue) throws -> StateDump.Item {
    if case .link(let table, let row) = stored, let layout = catalog[table], layout.kind == .embedded {
      return .embedded(try visibleFields(row, layout))
    }
    return .value(try value(stored.visible))
  }
}

extension StoredValue {
  /// The value with null for each link to an object that does not exist.
  fileprivate var visible: StoredValue {
    switch self {
    case .link(_, let row) where row.isUnresolved: .null
    case .list(let elements): .list(elements.map(\.visible))
    case .dictionary(let entries): .dictionary(entries.mapValues(\.visible))
    default: self
    }
  }
}

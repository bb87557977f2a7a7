import StorageEngine

/// Links that are to become others, and the cells that hold any of them.
struct LinkRedirection {
  /// The new values of links, by their present targets.
  var replacements: [ClassRow: StoredValue] = [:]
  var cells: Set<CellAddress> = []
  /// Whether its steps are charged: it may be had again and again.
  var isCharged = false
}

extension StoredValue {
  /// The value with other links wherever they occur.
  func replacing(_ replacements: [ClassRow: StoredValue]) -> StoredValue {
    switch self {
    case .link(let table, let row): replacements[ClassRow(table: table, row: row)] ?? self
    case .list(let elements): .list(elements.map { $0.replacing(replacements) })
    case .dictionary(let entries): .dictionary(entries.mapValues { $0.replacing(replacements) })
    default: self
    }
  }
}

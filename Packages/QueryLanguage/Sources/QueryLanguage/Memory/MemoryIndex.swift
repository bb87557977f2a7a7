import DataModel

/// An index that is a plain list of pairs, searched from end to end.
struct MemoryIndex: QueryIndex {
  var entries: [(Value, QueryRow)]

  func rows(matching probe: IndexProbe, limit: Int) -> [QueryRow]? {
    let rows = entries.filter { matches($0.0, probe) }.map(\.1)
    return rows.count > limit ? nil : rows
  }

  func count(matching probe: IndexProbe) -> Int? { entries.count { matches($0.0, probe) } }

  func forEach(
    from lower: IndexProbe.Bound?, through upper: IndexProbe.Bound?, isAscending: Bool,
    _ body: (QueryRow) throws -> Bool
  ) rethrows -> Bool {
    let found = entries.filter { matches($0.0, .range(lower: lower, upper: upper)) }
      .sorted { isBelow($0.0, $1.0) }
    for (_, row) in isAscending ? found : found.reversed() where try !body(row) { break }
    return true
  }

  private func matches(_ value: Value, _ probe: IndexProbe) -> Bool {
    switch probe {
    case .equal(let wanted): value == wanted
    case .prefix(let bytes):
      if case .string(let text) = value { text.utf8.starts(with: bytes) } else { false }
    case .range(let lower, let upper):
      value != .null
        && (lower.map { isBelow($0.value, value) || $0.isInclusive && $0.value == value } ?? true)
        && (upper.map { isBelow(value, $0.value) || $0.isInclusive && $0.value == value } ?? true)
    }
  }

  private func isBelow(_ left: Value, _ right: Value) -> Bool {
    left.propertyType == right.propertyType && left.compareInSortOrder(right) < 0
  }
}

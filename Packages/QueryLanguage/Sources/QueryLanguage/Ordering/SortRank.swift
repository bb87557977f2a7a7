import DataModel

/// The place of an object in a sort, as its values give it.
struct SortRank: Hashable, Sendable {
  private(set) var cells: [SortCell] = []
  /// The full values of all keys; empty when every key is decided by its cell.
  private var values: [Value] = []

  init(_ keys: [SortKeyReader], _ row: QueryRow) throws {
    let needsValues = keys.contains { !$0.isExact }
    for key in keys {
      let value = try key.value(row)
      cells.append(value.map { SortCell($0, key.type) } ?? .missing)
      if needsValues { values.append(value ?? .null) }
    }
  }

  /// Negative, zero or positive as this has the lesser, an equal or the greater value of one key.
  ///
  /// - Parameter isExact: whether the cells of the key decide.
  func compare(_ other: SortRank, at key: Int, isExact: Bool) -> Int {
    let order = cells[key].compare(other.cells[key])
    return order == 0 && !isExact ? values[key].compareInSortOrder(other.values[key]) : order
  }
}

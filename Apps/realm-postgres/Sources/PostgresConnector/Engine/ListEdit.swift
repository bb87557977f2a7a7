import PostgresClient
import RecordStore

/// The changes of a transaction of the database to the rows of one object in a table beside that of its class.
struct ListEdit {
  /// A row, without `oid`.
  struct Row: Hashable {
    var index: Int
    var texts: [String?]
  }

  /// The rows that were there before and are gone.
  private(set) var removed: [Row] = []
  /// The rows that are new.
  private(set) var added: [Row] = []

  /// Adds one change of a row.
  mutating func add(old: Row?, new: Row?) {
    guard old != new else { return }
    if let old {
      // A row of the same transaction was never there for others.
      if let index = added.firstIndex(of: old) { added.remove(at: index) } else { removed.append(old) }
    }
    if let new {
      if let index = removed.firstIndex(of: new) { removed.remove(at: index) } else { added.append(new) }
    }
  }

  /// The list after the edit: what was removed is taken away where it stands nearest to its old place, what was added stands at its
  /// place in the table.
  ///
  /// - Parameters:
  ///   - elements: the list as the realm has it.
  ///   - ranks: the places of the rows' `idx` in the table; an `idx` that is not among them is its own place.
  ///   - element: the element of a row; throws ``Unfit``.
  /// - Complexity: O(*n* *m*) for *n* elements and *m* rows.
  func applied(
    to elements: [StateDump.Item], ranks: [Int: Int], _ element: ([String?]) throws -> StateDump.Item
  ) throws -> [StateDump.Item] {
    var rest: [(place: Int, item: StateDump.Item)] = elements.enumerated().map { ($0, $1) }
    for row in removed.sorted(by: { $0.index < $1.index }) {
      let item = try element(row.texts).comparable
      let same = rest.indices.filter { rest[$0].item.comparable == item }
      guard let nearest = same.min(by: { abs(rest[$0].place - row.index) < abs(rest[$1].place - row.index) }) else {
        continue
      }
      rest.remove(at: nearest)
    }
    var list = rest.map(\.item)
    for row in added.sorted(by: { $0.index < $1.index }) {
      list.insert(try element(row.texts), at: min(list.count, max(0, ranks[row.index] ?? row.index)))
    }
    return list
  }

  /// The edit that turns one list into another, by the elements that are not common to their beginnings and ends.
  static func between(_ old: [StateDump.Item], _ new: [StateDump.Item]) -> (removed: Range<Int>, added: Range<Int>) {
    var start = 0
    while start < min(old.count, new.count), old[start].comparable == new[start].comparable { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end].comparable == new[new.count - 1 - end].comparable
    { end += 1 }
    return (start..<old.count - end, start..<new.count - end)
  }
}

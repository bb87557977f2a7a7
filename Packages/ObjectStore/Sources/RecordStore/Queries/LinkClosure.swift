import DataModel
import StorageEngine

/// Every object that can be reached from some rows along links of any kind, these rows included.
///
///     let closure = try LinkClosure(from: [people.table: rows], in: source, limit: 100_000)
///     closure.rows(of: dogs.table)         // ascending
///
/// Embedded objects are passed through and are not among the rows: they belong to the objects that hold them.
package struct LinkClosure {
  /// The rows by class; no entry is empty.
  package private(set) var rows: [TableID: Set<RowKey>] = [:]

  /// - Parameters:
  ///   - seeds: rows by class; those in which no object lives must not be among them.
  ///   - limit: the most rows that are visited, those of embedded objects included.
  ///   - isVisible: whether links to objects of a class are followed.
  /// - Throws: ``LinkClosureError`` when there are more; `StorageError` when the file is damaged.
  /// - Complexity: O(*n*) in the objects reached and their links, time and memory.
  package init(
    from seeds: [TableID: [RowKey]], in state: some LinkedRows, limit: Int,
    where isVisible: (ClassLayout) -> Bool = { _ in true }
  ) throws {
    var visible: [TableID: Bool] = [:]
    func isFollowed(_ table: TableID) -> Bool {
      if let known = visible[table] { return known }
      let found = state.catalog[table].map(isVisible) ?? false
      visible[table] = found
      return found
    }
    var pending: [ClassRow] = []
    var visited = 0
    var embedded: [TableID: Set<RowKey>] = [:]
    func visit(_ row: ClassRow) throws {
      let isEmbedded = state.catalog[row.table]?.kind == .embedded
      let isNew =
        isEmbedded
        ? embedded[row.table, default: []].insert(row.row).inserted
        : rows[row.table, default: []].insert(row.row).inserted
      guard isNew else { return }
      visited += 1
      guard visited <= limit else { throw LinkClosureError(limit: limit) }
      pending.append(row)
    }
    for (table, seeds) in seeds.sorted(by: { $0.key < $1.key }) {
      for row in seeds { try visit(ClassRow(table: table, row: row)) }
    }
    var links: [ClassRow] = []
    while let row = pending.popLast() {
      links.removeAll(keepingCapacity: true)
      try state.appendLinks(of: row, to: &links)
      for link in links where isFollowed(link.table) { try visit(link) }
    }
  }

  /// The rows of a class, ascending. O(*n* log *n*).
  package func rows(of table: TableID) -> [RowKey] { rows[table]?.sorted() ?? [] }

  /// Whether a row is among them. O(1).
  package func contains(_ row: ClassRow) -> Bool { rows[row.table]?.contains(row.row) ?? false }
}

/// More objects can be reached than are allowed.
package struct LinkClosureError: Error, Hashable, CustomStringConvertible {
  /// The number that is allowed.
  package var limit: Int

  /// The limit and the remedy.
  package var description: String {
    "more than \(limit) objects are linked to what the queries select; select less, or raise the limit"
  }
}

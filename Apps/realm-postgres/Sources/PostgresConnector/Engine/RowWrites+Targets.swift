import DataModel
import PostgresClient
import RecordStore

extension RowWrites {
  /// Adds the rows that the present ones refer to and that are missing in their tables, since others deleted them there and the slot has
  /// not shown it. Their objects are deleted once it does, and the rows with them.
  ///
  /// - Parameter known: the keys of a table's rows among some.
  /// - Throws: `RecordStoreError` when the realm cannot be read; the error of `known`.
  mutating func addTargets(
    in contents: RealmContents, path: String, known rows: (ClassTable, [String]) throws -> Set<String>
  ) throws {
    let known = Set(writes.compactMap { $0.columns == nil ? object($0) : nil })
    var targets: Set<ObjectReference> = []
    func add(_ column: Column, _ text: String?) {
      guard case .link(let className, let type) = column.form, let key = text.flatMap({ try? ScalarText.key($0, type) })
      else { return }
      let target = ObjectReference(className: className, key: key)
      if !known.contains(target) { targets.insert(target) }
    }
    for write in writes {
      guard let row = write.row else { continue }
      let table = tables[write.table]
      for (column, text) in zip(table.columns, row) { add(column, text) }
      for (number, rows) in write.beside {
        for texts in rows { for (column, text) in zip(table.subTables[number].columns, texts) { add(column, text) } }
      }
    }
    let all = try RowWrites(targets.map { ($0, nil) }, in: contents, at: position, tables, path: path)
      .writes.filter { $0.row != nil }
    for (table, found) in Dictionary(grouping: all, by: \.table) {
      let there = try rows(tables[table], found.map(\.key))
      writes.insert(contentsOf: found.filter { !there.contains($0.key) }, at: 0)
    }
  }
}

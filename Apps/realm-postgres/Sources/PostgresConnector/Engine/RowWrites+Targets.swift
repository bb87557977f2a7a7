import DataModel
import PostgresClient
import RecordStore

extension RowWrites {
  /// Adds the rows that the present ones refer to: one of them may be missing in its table, since others deleted it there, or made it
  /// only now, and the slot has not shown it.
  ///
  /// - Throws: `RecordStoreError` when the realm cannot be read.
  mutating func addTargets(in contents: RealmContents, path: String) throws {
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
    let more = try RowWrites(targets.map { ($0, nil) }, in: contents, at: position, tables, path: path)
    writes.insert(contentsOf: more.writes.filter { $0.row != nil }, at: 0)
  }
}

import PostgresClient

/// The changes of a transaction of the database in one realm, each row and each list once.
struct SquashedChanges {
  /// Changes of rows with the tables of their classes, in the order in which the rows were touched first.
  private(set) var rows: [(change: DatabaseTransaction.Change, table: ClassTable)] = []
  /// Edits of lists and embedded objects in tables beside, by the key of their object.
  private(set) var lists: [(table: ClassTable, sub: SubTable, owner: String, edit: ListEdit)] = []
  /// Tables beside that were emptied before the edits.
  private(set) var emptied: [(table: ClassTable, sub: SubTable)] = []
  private var rowNumbers: [String: Int] = [:]
  private var listNumbers: [String: Int] = [:]

  /// Adds the change of a row of a class.
  mutating func add(_ change: DatabaseTransaction.Change, _ table: ClassTable) {
    let key = change.row[table.key.name]?.text ?? ""
    guard change.kind != .truncate else {
      rows.append((change, table))
      rowNumbers = rowNumbers.filter { rows[$0.value].table.name != table.name }
      return
    }
    if change.kind == .update, let old = change.old?[table.key.name]?.text, old != key {
      // Another key is another object.
      add(DatabaseTransaction.Change(kind: .delete, table: change.table, row: change.old ?? [:], old: nil), table)
      add(DatabaseTransaction.Change(kind: .insert, table: change.table, row: change.row, old: nil), table)
      return
    }
    guard let number = rowNumbers["\(table.name) \(key)"] else {
      rowNumbers["\(table.name) \(key)"] = rows.count
      rows.append((change, table))
      return
    }
    let known = rows[number].change
    rows[number].change.row = change.row
    switch (known.kind, change.kind) {
    case (.delete, .insert):
      rows[number].change.kind = .update
      rows[number].change.old = known.row
    case (_, .delete):
      rows[number].change.kind = .delete
      rows[number].change.old = nil
    case (_, _): break
    }
  }

  /// Adds the change of a row in a table beside.
  mutating func add(_ change: DatabaseTransaction.Change, _ table: ClassTable, _ sub: SubTable) {
    guard change.kind != .truncate else {
      emptied.append((table, sub))
      lists.removeAll { $0.sub.name == sub.name }
      listNumbers = Dictionary(
        lists.enumerated().map { ("\($1.sub.name) \($1.owner)", $0) }, uniquingKeysWith: { first, _ in first })
      return
    }
    func row(_ values: [String: PgColumnValue]?) -> (owner: String, row: ListEdit.Row)? {
      guard let values, let owner = values["oid"]?.text else { return nil }
      let index = sub.isList ? values["idx"]?.text.flatMap { Int($0) } ?? 0 : 0
      return (owner, ListEdit.Row(index: index, texts: sub.columns.map { values[$0.name]?.text }))
    }
    let old = change.kind == .delete ? row(change.row) : change.kind == .update ? row(change.old) : nil
    let new = change.kind == .delete ? nil : row(change.row)
    if let old, let new, old.owner == new.owner { return edit(table, sub, old.owner, old.row, new.row) }
    if let old { edit(table, sub, old.owner, old.row, nil) }
    if let new { edit(table, sub, new.owner, nil, new.row) }
  }

  private mutating func edit(
    _ table: ClassTable, _ sub: SubTable, _ owner: String, _ old: ListEdit.Row?, _ new: ListEdit.Row?
  ) {
    let name = "\(sub.name) \(owner)"
    let number = listNumbers[name] ?? lists.count
    if number == lists.count {
      listNumbers[name] = number
      lists.append((table, sub, owner, ListEdit()))
    }
    lists[number].edit.add(old: old, new: new)
  }
}

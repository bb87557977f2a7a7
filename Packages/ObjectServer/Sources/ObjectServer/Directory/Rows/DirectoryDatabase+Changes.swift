// The feed of changes, written in the transactions that change something.
extension DirectoryDatabase {
  /// Adds a change to the feed. Of every 256 changes, one removes those that are too old.
  mutating func note(_ change: DirectoryChange) throws {
    let number = try lastChange() + 1
    let (kind, subject) = change.columns
    try put(.changes, .integer(number), .text(kind), .text(subject))
    if number % 256 == 0 {
      try remove(.changes, where: .atMost("number", .integer(number - DirectoryChanges.remembered)))
    }
    hasNoted = true
  }

  /// The number of the last change; 0 when there was none.
  ///
  /// - Complexity: O(log *n*) in the remembered changes.
  func lastChange() throws -> Int64 {
    var last: Int64 = 0
    try connection.run(statement("SELECT max(number) FROM changes"), columns: 1) { row in
      if case .integer(let number?) = row[0] { last = number }
    }
    return last
  }

  /// The changes after a position.
  func changes(after position: Int64) throws -> DirectoryChanges {
    let last = try lastChange()
    guard position != last else { return DirectoryChanges(position: last) }
    let rows = try rows(.changes, where: .greater("number", .integer(position))) { row in
      (row.integer(0) ?? 0, DirectoryChange(kind: row.text(1) ?? "", subject: row.text(2) ?? ""))
    }
    // A feed that is shorter than it was has been replaced, by a restored backup for example.
    let isComplete = position <= last && rows.first?.0 == position + 1
    return DirectoryChanges(position: last, changes: rows.compactMap(\.1), isComplete: isComplete)
  }
}

// Rows that are written, removed and changed, with the sums of their seals.
extension DirectoryDatabase {
  /// Writes a row, in the place of one with the same key.
  func put(_ table: DirectoryTable, _ values: DirectoryValue...) throws { try put(table, values) }

  /// Writes a row unless there is one with its key.
  ///
  /// - Returns: whether it was written.
  func add(_ table: DirectoryTable, _ values: DirectoryValue...) throws -> Bool {
    guard try count(table, where: .key(of: table, values)) == 0 else { return false }
    try put(table, values)
    return true
  }

  private func put(_ table: DirectoryTable, _ values: [DirectoryValue]) throws {
    try remove(table, where: .key(of: table, values))
    let bytes = seal.seal(table.rawValue, values)
    try connection.run(insertion(table.rawValue, table.sealedColumns, [values + [.blob(bytes)]]))
    try changeSum(of: table) { $0.add(bytes) }
  }

  /// INSERT of rows.
  func insertion(_ table: String, _ columns: [String], _ rows: [[DirectoryValue]]) -> DirectoryStatement {
    var insert = statement("INSERT INTO " + connection.dialect.name(table) + "(")
    insert.add(columns)
    insert.add(") VALUES ")
    for (index, row) in rows.enumerated() {
      insert.add(index > 0 ? ", (" : "(")
      insert.add(row)
      insert.add(")")
    }
    return insert
  }

  /// Changes rows: each is read, and written anew by `change`.
  ///
  /// - Returns: how many there were.
  @discardableResult
  func change(
    _ table: DirectoryTable, _ matching: KeyValuePairs<String, DirectoryValue>,
    _ change: (inout [DirectoryValue]) -> Void
  ) throws -> Int {
    let found = try rows(table, matching) { $0.values }
    for var values in found {
      try remove(table, where: .key(of: table, values))
      change(&values)
      try put(table, values)
    }
    return found.count
  }

  /// Removes rows, whether their seals fit or not.
  ///
  /// - Returns: the first column of each, in its order.
  @discardableResult
  func remove(_ table: DirectoryTable, _ matching: KeyValuePairs<String, DirectoryValue>) throws -> [String] {
    try remove(table, where: DirectoryCondition(matching))
  }

  /// Removes rows by a condition; otherwise as ``remove(_:_:)``.
  @discardableResult
  func remove(_ table: DirectoryTable, where condition: DirectoryCondition) throws -> [String] {
    var delete = statement("DELETE FROM " + connection.dialect.name(table.rawValue))
    delete.add(where: condition)
    delete.add(" RETURNING ")
    delete.add(table.sealedColumns)
    var found: [(row: DirectoryRow, seal: [UInt8], isWhole: Bool)] = []
    try connection.run(delete, columns: table.sealedColumns.count) { found.append(seal.open(table.rawValue, $0)) }
    guard !found.isEmpty else { return [] }
    if found.allSatisfy(\.isWhole) {
      try changeSum(of: table) { sum in for entry in found { sum.remove(entry.seal) } }
    } else {
      // The part of damaged records in the sum is unknown.
      try recount(table)
    }
    return found.compactMap { $0.row.text(0) }.sorted()
  }
}

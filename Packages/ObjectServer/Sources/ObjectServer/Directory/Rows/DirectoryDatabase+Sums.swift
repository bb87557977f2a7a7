// The sums of seals, and looking through everything.
extension DirectoryDatabase {
  /// Changes the sum of a table. One that is damaged stays so, for ``problems()`` to tell.
  func changeSum(of table: DirectoryTable, _ change: (inout DirectorySum) -> Void) throws {
    guard var sum = try sum(of: table) else { return }
    change(&sum)
    try write(sum, of: table)
  }

  /// Makes the sum of a table anew, of the seals that are there.
  func recount(_ table: DirectoryTable) throws {
    var sum = DirectorySum()
    let select = statement("SELECT seal FROM " + connection.dialect.name(table.rawValue))
    try connection.run(select, columns: 1) { row in
      if case .blob(let seal) = row[0] { sum.add(seal) } else { sum.add([]) }
    }
    try write(sum, of: table)
  }

  func write(_ sum: DirectorySum, of table: DirectoryTable) throws {
    let values = sum.values(table)
    var insert = insertion(
      DirectorySum.table, DirectorySum.columns, [values + [.blob(seal.seal(DirectorySum.table, values))]])
    insert.add(" ON CONFLICT(name) DO UPDATE SET count = excluded.count, sum = excluded.sum, seal = excluded.seal")
    try connection.run(insert)
  }

  func sum(of table: DirectoryTable) throws -> DirectorySum? {
    var select = statement("SELECT name, count, sum, seal FROM seals")
    select.add(where: .equals("name", .text(table.rawValue)))
    var sum: DirectorySum?
    try connection.run(select, columns: DirectorySum.columns.count) { cells in
      let (row, _, isWhole) = seal.open(DirectorySum.table, cells)
      if isWhole, row.text(0) == table.rawValue { sum = DirectorySum(row) }
    }
    return sum
  }

  /// Reads everything.
  ///
  /// - Returns: what is damaged: the database's own structure, the layout, records, and tables that lost or regained rows.
  /// - Throws: the database's error when it cannot be read on.
  func problems() throws -> [String] {
    var problems = try connection.structureProblems()
    for table in DirectoryTable.allCases {
      var found = DirectorySum()
      try connection.run(select(table), columns: table.sealedColumns.count) { cells in
        let (row, bytes, isWhole) = seal.open(table.rawValue, cells)
        found.add(bytes)
        if !isWhole { problems.append("\(Self.damage(table, row))") }
      }
      guard let expected = try sum(of: table) else {
        problems.append("the sum of the table \(table.rawValue) is damaged; restore a backup")
        continue
      }
      if found != expected {
        problems.append(
          "the table \(table.rawValue) has \(found.count) records of \(expected.count), or some are older than they "
            + "should be; restore a backup")
      }
    }
    return problems
  }
}

extension DirectoryConnection {
  /// Writes the sums of tables that have no rows yet, of a database that was just made. Within a transaction that writes.
  ///
  /// - Throws: the database's error.
  public func sealEmptyTables() throws {
    for table in DirectoryTable.allCases { try DirectoryDatabase(self).write(DirectorySum(), of: table) }
  }
}

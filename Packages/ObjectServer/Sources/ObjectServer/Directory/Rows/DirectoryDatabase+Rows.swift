// Rows, each read and written with its seal.
extension DirectoryDatabase {
  /// The rows of a table with these values, in an order.
  ///
  /// - Parameter order: columns; nil for those of the key.
  /// - Throws: ``ServerError/Code/directoryFailure``, naming the first record whose seal does not fit; the database's error.
  func rows<Row>(
    _ table: DirectoryTable, _ matching: KeyValuePairs<String, DirectoryValue> = [:], order: [String]? = nil,
    read: (DirectoryRow) -> Row?
  ) throws -> [Row] {
    let columns = table.columns
    var select = select(table)
    select.add(where: DirectoryCondition(matching))
    select.add(" ORDER BY ")
    select.add(order ?? Array(columns.prefix(table.keyCount)))
    var rows: [Row] = []
    try connection.run(select, columns: columns.count + 1) { cells in
      let (row, _, isWhole) = seal.open(table.rawValue, cells)
      // An index that is damaged leads to whole rows that were not asked for.
      let isAsked = matching.allSatisfy { name, value in
        columns.firstIndex(of: name).map { Self.areSame(row.cells[$0], value) } ?? false
      }
      guard isWhole, isAsked else { throw Self.damage(table, row) }
      if let row = read(row) { rows.append(row) }
    }
    return rows
  }

  /// The rows of a table by a condition, in the order of their keys; otherwise as ``rows(_:_:order:read:)``.
  ///
  /// - Parameter page: the most rows, and how many are left out before them; nil for all rows.
  func rows<Row>(
    _ table: DirectoryTable, where condition: DirectoryCondition, page: (limit: Int, skip: Int)? = nil,
    read: (DirectoryRow) -> Row?
  ) throws -> [Row] {
    let columns = table.columns
    var select = select(table)
    select.add(where: condition)
    select.add(" ORDER BY ")
    select.add(Array(columns.prefix(table.keyCount)))
    if let page {
      select.add(" LIMIT ")
      select.add(.integer(Int64(page.limit)))
      select.add(" OFFSET ")
      select.add(.integer(Int64(page.skip)))
    }
    var rows: [Row] = []
    try connection.run(select, columns: columns.count + 1) { cells in
      let (row, _, isWhole) = seal.open(table.rawValue, cells)
      guard isWhole else { throw Self.damage(table, row) }
      if let row = read(row) { rows.append(row) }
    }
    return rows
  }

  /// The number of rows by a condition. Seals are not looked at: decisions need more.
  func count(_ table: DirectoryTable, where condition: DirectoryCondition = .always) throws -> Int {
    var select = statement("SELECT count(*) FROM " + connection.dialect.name(table.rawValue))
    select.add(where: condition)
    var count = 0
    try connection.run(select, columns: 1) { if case .integer(let number?) = $0[0] { count = Int(clamping: number) } }
    return count
  }

  /// Whether there is a row with these values.
  func has(_ table: DirectoryTable, _ matching: KeyValuePairs<String, DirectoryValue>) throws -> Bool {
    try !rows(table, matching) { _ in true }.isEmpty
  }

  /// The texts of a column in the rows of a condition, each once, in order. They are not covered by seals: decisions need more.
  func texts(_ column: String, _ table: DirectoryTable, where condition: DirectoryCondition) throws -> [String] {
    let column = connection.dialect.name(column)
    var select = statement("SELECT DISTINCT \(column) FROM " + connection.dialect.name(table.rawValue))
    select.add(where: condition)
    select.add(" ORDER BY \(column)")
    var found: [String] = []
    try connection.run(select, columns: 1) { if case .text(let text?) = $0[0] { found.append(text) } }
    return found
  }

  private static func areSame(_ found: DirectoryValue, _ asked: DirectoryValue) -> Bool {
    // By bytes, as databases compare: text may be spelled in several ways that Swift takes for equal.
    if case .text(let found?) = found, case .text(let asked?) = asked { return found.utf8.elementsEqual(asked.utf8) }
    return found == asked || found.isNull && asked.isNull
  }

  static func damage(_ table: DirectoryTable, _ row: DirectoryRow) -> ServerError {
    ServerError(
      .directoryFailure, "a record of the directory of users is damaged: \(name(table, row))",
      remedy: "restore a backup, or keys/directory.key if it was replaced; 'verify' names all damaged records")
  }

  /// A record by its key; offers and logins by their user, because their keys are secrets.
  static func name(_ table: DirectoryTable, _ row: DirectoryRow) -> String {
    switch table {
    case .changes: "\(table.rawValue) of \(row.text(1) ?? "?") '\(row.text(2) ?? "?")'"
    case .offers, .logins: "\(table.rawValue) of user '\(row.text(1) ?? "?")'"
    case .users, .identities, .realms, .grants, .renamed, .withdrawals, .apiKeys, .usedPaths, .removed:
      table.rawValue + " '" + (0..<table.keyCount).map { row.text($0) ?? "?" }.joined(separator: "' '") + "'"
    }
  }
}

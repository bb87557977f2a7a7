import SQLiteDatabase

// Rows, each read and written with its seal.
extension DirectoryDatabase {
  /// The rows of a table with these values, in an order.
  ///
  /// - Throws: ``ServerError/Code/directoryFailure``, naming the first record whose seal does not fit, or ``SQLiteError``.
  mutating func rows<Row>(
    _ table: DirectoryTable, _ matching: KeyValuePairs<String, DirectoryValue> = [:], order: String? = nil,
    read: (DirectoryRow) -> Row?
  ) throws -> [Row] {
    let columns = table.columns
    let order = order ?? columns.prefix(table.keyCount).joined(separator: ", ")
    let statement = try statement(
      "SELECT \(columns.joined(separator: ", ")), seal FROM \(table.rawValue)\(Self.condition(matching)) ORDER BY \(order)",
      matching.map(\.value))
    defer { statement.reset() }
    var rows: [Row] = []
    while try statement.step() {
      let (row, _, isWhole) = seal.open(table.rawValue, statement, count: columns.count)
      // An index that is damaged leads to whole rows that were not asked for.
      let isAsked = matching.allSatisfy { name, value in
        columns.firstIndex(of: name).map { Self.areSame(row.values[$0], value) } ?? false
      }
      guard isWhole, isAsked else { throw Self.damage(table, row) }
      if let row = read(row) { rows.append(row) }
    }
    return rows
  }

  /// The rows of a table by a condition in SQL, in the order of their keys; otherwise as ``rows(_:_:order:read:)``.
  ///
  /// - Parameter skip: the rows that are left out before the first one, of a table with a limit.
  mutating func rows<Row>(
    _ table: DirectoryTable, where condition: String, _ values: [DirectoryValue], limit: Int? = nil, skip: Int = 0,
    read: (DirectoryRow) -> Row?
  ) throws -> [Row] {
    let columns = table.columns
    let order = columns.prefix(table.keyCount).joined(separator: ", ")
    let bound = limit.map { " LIMIT \($0) OFFSET \(skip)" } ?? ""
    let statement = try statement(
      "SELECT \(columns.joined(separator: ", ")), seal FROM \(table.rawValue) WHERE \(condition) ORDER BY \(order)"
        + bound, values)
    defer { statement.reset() }
    var rows: [Row] = []
    while try statement.step() {
      let (row, _, isWhole) = seal.open(table.rawValue, statement, count: columns.count)
      guard isWhole else { throw Self.damage(table, row) }
      if let row = read(row) { rows.append(row) }
    }
    return rows
  }

  /// The number of rows by a condition in SQL. Seals are not looked at: decisions need more.
  mutating func count(_ table: DirectoryTable, where condition: String, _ values: [DirectoryValue]) throws -> Int {
    let statement = try statement("SELECT count(*) FROM \(table.rawValue) WHERE \(condition)", values)
    defer { statement.reset() }
    return try statement.step() ? Int(clamping: statement.int(at: 0)) : 0
  }

  /// Whether there is a row with these values.
  mutating func has(_ table: DirectoryTable, _ matching: KeyValuePairs<String, DirectoryValue>) throws -> Bool {
    try !rows(table, matching) { _ in true }.isEmpty
  }

  /// Writes a row, in the place of one with the same key.
  mutating func put(_ table: DirectoryTable, _ values: DirectoryValue...) throws { try put(table, values) }

  /// Writes a row unless there is one with its key.
  ///
  /// - Returns: whether it was written.
  mutating func add(_ table: DirectoryTable, _ values: DirectoryValue...) throws -> Bool {
    try transaction { database in
      let key = zip(table.columns, values).prefix(table.keyCount)
      let condition = key.map { "\($0.0) IS ?" }.joined(separator: " AND ")
      let statement = try database.statement(
        "SELECT 1 FROM \(table.rawValue) WHERE \(condition)", key.map(\.1))
      defer { statement.reset() }
      guard try !statement.step() else { return false }
      try database.put(table, values)
      return true
    }
  }

  private mutating func put(_ table: DirectoryTable, _ values: [DirectoryValue]) throws {
    try transaction { database in
      let columns = table.columns
      let key = columns.prefix(table.keyCount).map { "\($0) IS ?" }.joined(separator: " AND ")
      try database.remove(table, where: key, Array(values.prefix(table.keyCount)))
      let bytes = database.seal.seal(table.rawValue, values)
      let marks = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
      try database.statement(
        "INSERT INTO \(table.rawValue)(\(columns.joined(separator: ", ")), seal) VALUES (\(marks))",
        values + [.blob(bytes)]
      ).run()
      try database.changeSum(of: table) { $0.add(bytes) }
    }
  }

  /// Changes rows: each is read, and written anew by `change`.
  ///
  /// - Returns: how many there were.
  @discardableResult
  mutating func change(
    _ table: DirectoryTable, _ matching: KeyValuePairs<String, DirectoryValue>,
    _ change: (inout [DirectoryValue]) -> Void
  ) throws -> Int {
    try transaction { database in
      let found = try database.rows(table, matching) { $0.values }
      for var values in found {
        let key = table.columns.prefix(table.keyCount).map { "\($0) IS ?" }.joined(separator: " AND ")
        try database.remove(table, where: key, Array(values.prefix(table.keyCount)))
        change(&values)
        try database.put(table, values)
      }
      return found.count
    }
  }

  /// Removes rows, whether their seals fit or not.
  ///
  /// - Returns: the first column of each, in its order.
  @discardableResult
  mutating func remove(
    _ table: DirectoryTable, _ matching: KeyValuePairs<String, DirectoryValue>
  ) throws -> [String] {
    try remove(table, where: matching.map { "\($0.key) IS ?" }.joined(separator: " AND "), matching.map(\.value))
  }

  /// Removes rows by a condition in SQL; otherwise as ``remove(_:_:)``.
  @discardableResult
  mutating func remove(
    _ table: DirectoryTable, where condition: String, _ values: [DirectoryValue]
  ) throws -> [String] {
    try transaction { database in
      let columns = table.columns
      let statement = try database.statement(
        "DELETE FROM \(table.rawValue) WHERE \(condition) RETURNING \(columns.joined(separator: ", ")), seal", values)
      var found: [(row: DirectoryRow, seal: [UInt8], isWhole: Bool)] = []
      while try statement.step() {
        found.append(database.seal.open(table.rawValue, statement, count: columns.count))
      }
      statement.reset()
      guard !found.isEmpty else { return [] }
      if found.allSatisfy(\.isWhole) {
        try database.changeSum(of: table) { sum in for entry in found { sum.remove(entry.seal) } }
      } else {
        // The part of damaged records in the sum is unknown.
        try database.recount(table)
      }
      return found.compactMap { $0.row.text(0) }.sorted()
    }
  }

  private static func condition(_ matching: KeyValuePairs<String, DirectoryValue>) -> String {
    matching.isEmpty ? "" : " WHERE " + matching.map { "\($0.key) IS ?" }.joined(separator: " AND ")
  }

  private static func areSame(_ found: DirectoryValue, _ asked: DirectoryValue) -> Bool {
    // By bytes, as SQLite compares: text may be spelled in several ways that Swift takes for equal.
    if case .text(let found?) = found, case .text(let asked?) = asked { return found.utf8.elementsEqual(asked.utf8) }
    return found == asked
  }

  /// The texts in the first column that a query answers. They are not covered by seals: decisions need more.
  mutating func texts(_ sql: String, _ values: [DirectoryValue]) throws -> [String] {
    let statement = try statement(sql, values)
    defer { statement.reset() }
    var found: [String] = []
    while try statement.step() {
      if let text = statement.text(at: 0) { found.append(text) }
    }
    return found
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

  mutating func statement(_ sql: String, _ values: [DirectoryValue]) throws -> SQLiteStatement {
    let statement = try statements.statement(sql)
    for (index, value) in values.enumerated() {
      switch value {
      case .text(let text): try statement.bind(index + 1, text)
      case .integer(let number?): try statement.bind(index + 1, number)
      case .integer(nil): try statement.bindNull(index + 1)
      case .blob(let bytes): try statement.bind(index + 1, bytes)
      }
    }
    return statement
  }
}

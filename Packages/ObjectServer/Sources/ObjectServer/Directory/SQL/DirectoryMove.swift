/// Moves a directory from one database to another: from the file of an embedded server into a cluster, and back.
public enum DirectoryMove {
  /// Copies all records with their seals, so that both directories have the same key, and the feed with its positions. The target
  /// is empty before, and is empty or complete afterwards; the source does not change.
  ///
  ///     try DirectoryMove.copy(from: SQLiteDirectory(path: "data/directory.db"), to: PostgresDirectory(database, keys: "data/keys"))
  ///
  /// - Returns: the number of records.
  /// - Throws: ``ServerError/Code/directoryFailure`` when the source is damaged, the target has records, or its key is another one.
  /// - Complexity: O(size of the directory) in time. In memory, the largest table where PostgreSQL is the source.
  @discardableResult
  public static func copy<Source, Target>(
    from source: SQLDirectory<Source>, to target: SQLDirectory<Target>
  ) throws(ServerError) -> Int {
    try source.snapshot { from in
      if let problem = try from.problems().first {
        throw ServerError(.directoryFailure, problem, remedy: "restore a backup before the directory is moved")
      }
      return try target.write { to in
        guard try DirectoryTable.allCases.allSatisfy({ try to.count($0) == 0 }) else {
          throw ServerError(
            .directoryFailure, "the directory to which another one is to be copied has records",
            remedy: "copy to a new one")
        }
        try to.connection.run(to.statement("DELETE FROM \(DirectorySum.table)"))
        try copy(DirectorySum.table, DirectorySum.columns, from, to)
        var count = 0
        for table in DirectoryTable.allCases { count += try copy(table.rawValue, table.sealedColumns, from, to) }
        return count
      }
    }
  }

  /// The records of a directory.
  ///
  /// - Throws: ``ServerError/Code/directoryFailure``
  public static func count<Storage>(_ directory: SQLDirectory<Storage>) throws(ServerError) -> Int {
    try directory.snapshot { database in try DirectoryTable.allCases.reduce(0) { try $0 + database.count($1) } }
  }

  /// Whether two directories have the same records, by their counts and the sums of their seals, and the second one is whole.
  ///
  /// - Throws: ``ServerError/Code/directoryFailure`` when one cannot be read.
  /// - Complexity: O(size of the second directory).
  public static func isCopy<Source, Target>(
    _ target: SQLDirectory<Target>, of source: SQLDirectory<Source>
  ) throws(ServerError) -> Bool {
    func sums(_ database: DirectoryDatabase) throws -> [DirectorySum?] {
      try DirectoryTable.allCases.map { try database.sum(of: $0) }
    }
    let expected = try source.snapshot { try sums($0) }
    return try target.snapshot { database in try sums(database) == expected && database.problems().isEmpty }
  }

  /// The rows of one statement.
  private static let batch = 64

  @discardableResult
  private static func copy(
    _ table: String, _ columns: [String], _ from: DirectoryDatabase, _ to: DirectoryDatabase
  ) throws -> Int {
    var rows: [[DirectoryValue]] = []
    var count = 0
    func flush() throws {
      guard !rows.isEmpty else { return }
      try to.connection.run(to.insertion(table, columns, rows))
      rows = []
    }
    var select = from.statement("SELECT ")
    select.add(columns)
    select.add(" FROM " + from.connection.dialect.name(table))
    try from.connection.run(select, columns: columns.count) { cells in
      // The source is whole, so what does not fit is the key.
      guard to.seal.open(table, cells).isWhole else {
        throw ServerError(
          .badKey, "the directory to which another one was to be copied has another key",
          remedy: "copy the folder 'keys' first")
      }
      rows.append(cells)
      count += 1
      if rows.count == batch { try flush() }
    }
    try flush()
    return count
  }
}

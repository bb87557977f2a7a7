import SQLiteDatabase

/// A table that a file has from its first row on, since opening a file takes time for each table in it.
enum SideTable: UInt8 {
  case retired, header, journal

  var name: String {
    switch self {
    case .retired: "retired"
    case .header: "header"
    case .journal: "journal"
    }
  }

  fileprivate var columns: String {
    switch self {
    case .retired: "(version INTEGER PRIMARY KEY, ids BLOB NOT NULL)"
    case .header: "(name TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID"
    case .journal: "(id INTEGER PRIMARY KEY, mark BLOB NOT NULL)"
    }
  }
}

/// The side tables of a file, as one connection sees them.
struct SideTables {
  private let connection: SQLiteConnection
  private var select: SQLiteStatement?
  /// One bit for each table that was found.
  private var met: UInt8 = 0

  init(_ connection: SQLiteConnection) { self.connection = connection }

  mutating func has(_ table: SideTable) throws -> Bool {
    let bit: UInt8 = 1 << table.rawValue
    if met & bit != 0 { return true }
    let select =
      try select ?? connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    self.select = select
    defer { select.reset() }
    guard try select.bind(1, table.name).step() else { return false }
    met |= bit
    return true
  }

  /// Creates a missing table, within a write transaction.
  mutating func make(_ table: SideTable) throws {
    guard try !has(table) else { return }
    try connection.execute("CREATE TABLE \(table.name)\(table.columns)")
  }

  /// Forgets the tables that were found, since a rollback may have removed some.
  mutating func forget() { met = 0 }
}

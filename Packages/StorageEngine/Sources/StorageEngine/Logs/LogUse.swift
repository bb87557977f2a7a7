/// What is done with the table of a log.
enum LogUse: Hashable {
  case readFrom, count, insert, replace, delete, deleteAll

  /// A use of the table with a number.
  struct OfTable: Hashable {
    let use: LogUse
    let number: Int64
  }

  /// The statement that does it.
  func text(_ table: String) -> String {
    switch self {
    case .readFrom: "SELECT position, gap, content FROM \(table) WHERE position >= ? ORDER BY position"
    case .count: "SELECT count(*) FROM \(table)"
    case .insert: "INSERT INTO \(table)(position, gap, content) VALUES (?, ?, ?)"
    case .replace: "UPDATE \(table) SET gap = ?, content = ? WHERE position = ?"
    case .delete: "DELETE FROM \(table) WHERE position BETWEEN ? AND ?"
    case .deleteAll: "DELETE FROM \(table)"
    }
  }
}

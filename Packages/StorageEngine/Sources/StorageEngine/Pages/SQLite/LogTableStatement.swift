/// A statement on the table of a log.
enum LogTableStatement {
  case readFrom, count, insert, replace, delete, deleteAll

  /// The statement that makes the table of a log.
  static func make(log number: Int64, ifMissing: Bool = false) -> String {
    "CREATE TABLE \(ifMissing ? "IF NOT EXISTS " : "")log_\(number)"
      + "(position INTEGER PRIMARY KEY, gap INTEGER NOT NULL, content BLOB NOT NULL)"
  }

  /// The text of the statement for the log table with a number.
  func sql(log number: Int64) -> String {
    switch self {
    case .readFrom: "SELECT position, gap, content FROM log_\(number) WHERE position >= ? ORDER BY position"
    case .count: "SELECT count(*) FROM log_\(number)"
    case .insert: "INSERT INTO log_\(number)(position, gap, content) VALUES (?, ?, ?)"
    case .replace: "UPDATE log_\(number) SET gap = ?, content = ? WHERE position = ?"
    case .delete: "DELETE FROM log_\(number) WHERE position BETWEEN ? AND ?"
    case .deleteAll: "DELETE FROM log_\(number)"
    }
  }
}

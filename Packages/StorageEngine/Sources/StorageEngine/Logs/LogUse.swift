/// What is done with the table of a log.
enum LogUse: Hashable {
  case readFrom, count, insert, replace, delete, deleteAll

  /// A use of the table with a number.
  struct OfTable: Hashable {
    let use: LogUse
    let number: Int64

    /// The statement that does it.
    var text: String {
      switch use {
      case .readFrom: "SELECT position, gap, content FROM log_\(number) WHERE position >= ? ORDER BY position"
      case .count: "SELECT count(*) FROM log_\(number)"
      case .insert: "INSERT INTO log_\(number)(position, gap, content) VALUES (?, ?, ?)"
      case .replace: "UPDATE log_\(number) SET gap = ?, content = ? WHERE position = ?"
      case .delete: "DELETE FROM log_\(number) WHERE position BETWEEN ? AND ?"
      case .deleteAll: "DELETE FROM log_\(number)"
      }
    }
  }
}

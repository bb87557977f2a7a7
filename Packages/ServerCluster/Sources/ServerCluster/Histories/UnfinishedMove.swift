import Permissions
import PostgresClient

/// The move of a realm that ended between the directory and the record: the realm has its new path in the one and its old path in the
/// other, where nobody looks for it.
enum UnfinishedMove {
  /// The row of a realm, whose move is finished when there is none.
  ///
  /// - Throws: `PostgresError`.
  static func row(of path: RealmPath, _ connection: PostgresConnection) throws -> RealmRow? {
    if let row = try RealmRow.find(path.description, connection) { return row }
    guard try finish(path, connection) else { return nil }
    return try RealmRow.find(path.description, connection)
  }

  /// Gives the record of a realm the path that the directory has. Nothing is changed where the record has it, or there is none.
  ///
  /// - Returns: whether there was a move to finish.
  /// - Throws: `PostgresError`.
  /// - Complexity: O(old names of realms), in the database.
  @discardableResult
  static func finish(_ path: RealmPath, _ connection: PostgresConnection) throws -> Bool {
    try connection.query(
      """
      UPDATE realm SET path = $1, shard = $2
      WHERE path = (
        SELECT old.path FROM renamed old JOIN realm ON realm.path = old.path
        WHERE old.target = $1 AND NOT EXISTS (SELECT 1 FROM realms WHERE realms.path = old.path) LIMIT 1)
      AND NOT EXISTS (SELECT 1 FROM realm WHERE path = $1)
      """, parameters: [.text(path.description), .integer(Int64(ShardNumber(of: path).rawValue))]
    ).affected > 0
  }
}

public import Permissions
import SQLiteDatabase
import Telemetry

extension SQLiteDirectory {
  private static let keyColumns = "id, user, name, digest, disabled, created"

  public func storeAPIKey(_ key: APIKeyRecord) throws(ServerError) {
    _ = try use { database in
      try database.run(
        "INSERT OR REPLACE INTO api_keys(\(Self.keyColumns)) VALUES (?, ?, ?, ?, ?, ?)", .text(key.id),
        .text(key.user.rawValue), .text(key.name), .text(key.digest), .integer(key.isDisabled ? 1 : 0),
        .integer(key.createdAt.millisecondsSince1970))
    }
  }

  public func apiKeys(of user: UserId) throws(ServerError) -> [APIKeyRecord] {
    try use { database in
      try database.rows(
        "SELECT \(Self.keyColumns) FROM api_keys WHERE user = ? ORDER BY created, id", .text(user.rawValue),
        read: Self.key)
    }
  }

  public func apiKey(digest: String) throws(ServerError) -> APIKeyRecord? {
    try use { database in
      try database.rows(
        "SELECT \(Self.keyColumns) FROM api_keys WHERE digest = ?", .text(digest), read: Self.key
      ).first
    }
  }

  public func deleteAPIKey(_ id: String) throws(ServerError) {
    _ = try use { database in try database.run("DELETE FROM api_keys WHERE id = ?", .text(id)) }
  }

  public func deleteAPIKeys(of user: UserId) throws(ServerError) -> Int {
    try use { database in try database.run("DELETE FROM api_keys WHERE user = ?", .text(user.rawValue)) }
  }

  private static func key(_ row: SQLiteStatement) -> APIKeyRecord? {
    guard let id = row.text(at: 0), let user = row.text(at: 1), let name = row.text(at: 2), let digest = row.text(at: 3)
    else { return nil }
    return APIKeyRecord(
      id: id, user: UserId(user), name: name, digest: digest, isDisabled: row.int(at: 4) != 0,
      createdAt: WallTime(millisecondsSince1970: row.int(at: 5)))
  }
}

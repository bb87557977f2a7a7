public import Permissions
import Telemetry

extension SQLiteDirectory {
  /// Stores an API key, replacing one with the same id.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func storeAPIKey(_ key: APIKeyRecord) throws(ServerError) {
    try use { database in
      try database.put(
        .apiKeys, .text(key.id), .text(key.user.rawValue), .text(key.name), .text(key.digest), .flag(key.isDisabled),
        .integer(key.createdAt.millisecondsSince1970))
    }
  }

  /// The API keys of a user, oldest first.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func apiKeys(of user: UserId) throws(ServerError) -> [APIKeyRecord] {
    try use { try $0.rows(.apiKeys, ["user": .text(user.rawValue)], order: "created, id", read: Self.key) }
  }

  /// The API key whose secret has this digest.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func apiKey(digest: String) throws(ServerError) -> APIKeyRecord? {
    try use { try $0.rows(.apiKeys, ["digest": .text(digest)], read: Self.key).first }
  }

  /// Removes an API key; the logins that were made with it stay.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func deleteAPIKey(_ id: String) throws(ServerError) {
    _ = try use { try $0.remove(.apiKeys, ["id": .text(id)]) }
  }

  /// Removes all API keys of a user; the logins that were made with them stay.
  ///
  /// - Returns: how many there were.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func deleteAPIKeys(of user: UserId) throws(ServerError) -> Int {
    try use { try $0.remove(.apiKeys, ["user": .text(user.rawValue)]).count }
  }

  private static func key(_ row: DirectoryRow) -> APIKeyRecord? {
    guard let id = row.text(0), let user = row.text(1), let name = row.text(2), let digest = row.text(3)
    else { return nil }
    return APIKeyRecord(
      id: id, user: UserId(user), name: name, digest: digest, isDisabled: row.integer(4) != 0,
      createdAt: WallTime(millisecondsSince1970: row.integer(5) ?? 0))
  }
}

public import Permissions
import Telemetry

extension SQLDirectory {
  /// Stores a new API key, if the login that asked for it still exists.
  ///
  /// - Returns: false, with nothing stored, when the login has ended.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  @discardableResult
  public func createAPIKey(_ key: APIKeyRecord, by login: String?) throws(ServerError) -> Bool {
    try write { database in
      if let login {
        guard try database.has(.logins, ["id": .text(login), "user": .text(key.user.rawValue)]) else { return false }
      }
      try database.put(
        .apiKeys, .text(key.id), .text(key.user.rawValue), .text(key.name), .text(key.digest), .flag(key.isDisabled),
        .integer(key.createdAt.millisecondsSince1970))
      return true
    }
  }

  /// Enables or disables an API key; the logins that were made with a disabled one end, at once with it.
  ///
  /// - Returns: false when there is no such key.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  @discardableResult
  public func setAPIKey(_ id: String, isDisabled: Bool) throws(ServerError) -> Bool {
    try write { database in
      let found = try database.change(.apiKeys, ["id": .text(id)]) { $0[4] = .flag(isDisabled) }
      if isDisabled { _ = try Self.endLogins(where: .equals("key", .text(id)), in: &database) }
      return found > 0
    }
  }

  /// The API keys of a user, oldest first.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func apiKeys(of user: UserId) throws(ServerError) -> [APIKeyRecord] {
    try read { try $0.rows(.apiKeys, ["user": .text(user.rawValue)], order: ["created", "id"], read: Self.key) }
  }

  /// The API key whose secret has this digest.
  ///
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  public func apiKey(digest: String) throws(ServerError) -> APIKeyRecord? {
    try read { try $0.rows(.apiKeys, ["digest": .text(digest)], read: Self.key).first }
  }

  /// Removes an API key, and ends the logins that were made with it, at once.
  ///
  /// - Returns: false when there was no such key.
  /// - Throws: ``ServerError`` when the database cannot be read or written.
  @discardableResult
  public func deleteAPIKey(_ id: String) throws(ServerError) -> Bool {
    try write { database in
      let isFound = try !database.remove(.apiKeys, ["id": .text(id)]).isEmpty
      _ = try Self.endLogins(where: .equals("key", .text(id)), in: &database)
      return isFound
    }
  }

  private static func key(_ row: DirectoryRow) -> APIKeyRecord? {
    guard let id = row.text(0), let user = row.text(1), let name = row.text(2), let digest = row.text(3)
    else { return nil }
    return APIKeyRecord(
      id: id, user: UserId(user), name: name, digest: digest, isDisabled: row.integer(4) != 0,
      createdAt: WallTime(millisecondsSince1970: row.integer(5) ?? 0))
  }
}

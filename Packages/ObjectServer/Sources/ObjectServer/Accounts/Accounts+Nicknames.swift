import Permissions

extension Accounts {
  /// Logs somebody in by a mere name, and creates the user at the first login: for prototypes.
  ///
  /// - Parameter isAdministrator: whether a user that is created administers the server.
  /// - Throws: ``APIError``; ``ServerError``.
  func logIn(nickname name: String, isAdministrator: Bool, app: String) throws -> Tokens {
    try checkName(name)
    let provider = AuthProvider.nickname.rawValue
    func known() throws -> UserRecord? {
      try directory.identity(provider: provider, name: name).flatMap { try directory.user($0.user) }
    }
    if let user = try known() { return try openLogin(user, app: app, lifetime: policy.refreshTokenLifetime) }
    let user = UserRecord(id: newUserId(), isAdministrator: isAdministrator, createdAt: now)
    let identity = IdentityRecord(provider: provider, name: name, user: user.id)
    let isNew = try directory.createUser(user, identity: identity)
    guard let user = isNew ? user : try known() else { throw APIError.storage }
    return try openLogin(user, app: app, lifetime: policy.refreshTokenLifetime)
  }
}

import Permissions

extension Accounts {
  /// Changes a password, ends the user's other logins, and revokes the API keys. All names that the user has, by linking for
  /// example, get the new password: the old ones open nothing more.
  ///
  /// - Parameters:
  ///   - other: whose password it is; nil for the bearer's.
  ///   - keepsKeys: whether API keys go on opening logins. Logins that were made with them end all the same.
  /// - Throws: ``APIError``; ``ServerError``.
  func changePassword(
    to password: String, by bearer: Bearer, of other: UserId?, keepsKeys: Bool = false
  ) throws {
    if let other, other != bearer.user, !bearer.subject.isAdministrator {
      throw APIError.denied("only an administrator can change the password of another user")
    }
    try checkPassword(password)
    let id = other ?? bearer.user
    let identities = try directory.identities(of: id).filter { $0.provider == AuthProvider.password.rawValue }
    guard !identities.isEmpty else {
      throw try directory.user(id) == nil
        ? APIError.userNotFound : APIError.badRequest("this user logs in without a password")
    }
    let hash = try hash(password)
    for identity in identities {
      _ = try directory.setPassword(
        hash, of: identity, keepingLogin: id == bearer.user ? bearer.login : nil, keepsKeys: keepsKeys)
    }
  }

  /// Sets a password; what was proven before it opens nothing more.
  ///
  /// - Returns: how many API keys were revoked.
  func setPassword(
    _ password: String, of identity: IdentityRecord, keepingLogin kept: String?, keepsKeys: Bool
  ) throws -> Int {
    try directory.setPassword(try hash(password), of: identity, keepingLogin: kept, keepsKeys: keepsKeys)
  }

  /// Suspends a user, or lets them in again. A suspended user logs in by no way; their tokens and connections stand still,
  /// and those that have not expired count again when the suspension ends.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError``.
  func setSuspended(_ user: UserId, _ isSuspended: Bool) throws {
    guard try directory.updateUser(user, isAdministrator: nil, isDisabled: isSuspended) else {
      throw APIError.userNotFound
    }
  }

  /// Makes a user an administrator, or ends that. It counts for their open connections as well.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError``.
  func setAdministrator(_ user: UserId, _ isAdministrator: Bool) throws {
    guard try directory.updateUser(user, isAdministrator: isAdministrator, isDisabled: nil) else {
      throw APIError.userNotFound
    }
  }
}

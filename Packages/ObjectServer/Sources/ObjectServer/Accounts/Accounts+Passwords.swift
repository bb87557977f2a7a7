import Permissions

extension Accounts {
  /// Changes a password, ends the user's other logins, and revokes the API keys.
  ///
  /// - Parameters:
  ///   - other: whose password it is; nil for the bearer's.
  ///   - keepsKeys: whether API keys go on opening logins. Logins that were made with them end all the same.
  /// - Returns: the logins that ended.
  func changePassword(
    to password: String, by bearer: Bearer, of other: UserId?, keepsKeys: Bool = false
  ) throws -> [String] {
    if let other, other != bearer.user, !bearer.subject.isAdministrator {
      throw APIError.denied("only an administrator can change the password of another user")
    }
    try checkPassword(password)
    let id = other ?? bearer.user
    guard
      let identity = try directory.identities(of: id).first(where: { $0.provider == AuthProvider.password.rawValue })
    else {
      throw try directory.user(id) == nil
        ? APIError.userNotFound : APIError.badRequest("this user logs in without a password")
    }
    return try setPassword(
      password, of: identity, keepingLogin: id == bearer.user ? bearer.login : nil, keepsKeys: keepsKeys
    ).ended
  }

  /// Sets a password; what was proven before it opens nothing more.
  ///
  /// The order matters to who logs in at the same time: first the proofs go, then the logins; see
  /// ``openLogin(_:app:lifetime:key:ifProof:)``.
  ///
  /// - Returns: the logins that ended, and how many API keys were revoked.
  func setPassword(
    _ password: String, of identity: IdentityRecord, keepingLogin kept: String?, keepsKeys: Bool
  ) throws -> (ended: [String], revokedKeys: Int) {
    try directory.setPasswordHash(try hash(password), provider: identity.provider, name: identity.name)
    let revoked = keepsKeys ? 0 : try directory.deleteAPIKeys(of: identity.user)
    return (try directory.endLogins(of: identity.user, except: kept), revoked)
  }
}

import Permissions

extension Accounts {
  /// Attaches the name and password of an account to the bearer's user.
  ///
  /// The account was registered before. Its name moves over and the account ends, in one step, as long as it is unused: see
  /// ``Directory/moveIdentity(_:to:)``.
  ///
  /// - Returns: a new access token.
  /// - Throws: ``APIError`` with 400 for a wrong password, with 409 for an account that is in use; ``ServerError``.
  func link(name: String, password: String, to bearer: Bearer) throws -> String {
    guard let identity = try proven(name: name, password: password) else {
      throw APIError(400, .invalidPassword, "invalid username/password")
    }
    if identity.user != bearer.user, try !directory.moveIdentity(identity, to: bearer.user) {
      throw APIError.linkedToOther
    }
    return try renewed(bearer)
  }

  /// Attaches the identity that another system's token names to the bearer's user.
  ///
  /// - Parameter name: the provider that the client chose; nil for any that accepts the token.
  /// - Returns: a new access token.
  /// - Throws: ``APIError`` with 400 for a bad token, with 409 for an identity of another user; ``ServerError``.
  func link(customToken text: String, provider name: String?, to bearer: Bearer) throws -> String {
    let foreign: ForeignUser
    do throws(APIError) {
      foreign = try foreignUser(text, provider: name)
    } catch {
      // 401 would say that the bearer's own token is bad.
      throw error.status == 401 ? APIError(400, error.code, error.message) : error
    }
    return try link(foreign, to: bearer)
  }

  /// Attaches the identity of a user of another system to the bearer's user.
  ///
  /// - Returns: a new access token.
  /// - Throws: ``APIError`` with 409 for an identity of another user; ``ServerError``.
  func link(_ foreign: ForeignUser, to bearer: Bearer) throws -> String {
    if let known = try directory.identity(provider: foreign.provider, name: foreign.name) {
      guard known.user == bearer.user else { throw APIError.linkedToOther }
    } else {
      let own = IdentityRecord(provider: foreign.provider, name: foreign.name, user: bearer.user)
      guard try directory.addIdentity(own) else { throw APIError.linkedToOther }
    }
    return try renewed(bearer)
  }

  private func renewed(_ bearer: Bearer) throws -> String {
    guard let user = try directory.user(bearer.user), let id = bearer.login, let login = try directory.login(id) else {
      throw APIError.endedLogin
    }
    return try accessToken(user, login)
  }
}

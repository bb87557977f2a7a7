import Permissions

extension Accounts {
  /// Attaches another identity to the bearer's user.
  ///
  /// - Returns: a new access token.
  /// - Throws: ``APIError``; ``ServerError``.
  func link(
    _ credentials: LoginRequest, provider: String, to bearer: Bearer
  ) throws -> String {
    let identity: (provider: String, name: String)
    switch AuthProvider(rawValue: provider) {
    case .password:
      guard let user = credentials.username, let password = credentials.password else {
        throw APIError(400, .missingParameter, "the body needs 'username' and 'password'")
      }
      // The account was registered before. It may be taken over with its password as long as it is unused.
      guard let identity = try proven(name: user, password: password) else {
        throw APIError(400, .invalidPassword, "invalid username/password")
      }
      guard identity.user != bearer.user else { return try renewed(bearer) }
      let others = try directory.identities(of: identity.user)
      let realms = try directory.realms(in: identity.user)
      guard others.count == 1, realms.isEmpty else {
        throw APIError(409, .accountNameInUse, "a user has already been created with this identity")
      }
      try directory.deleteUser(identity.user)
      var own = identity
      own.user = bearer.user
      guard try directory.addIdentity(own) else { throw APIError.nameTaken }
      return try renewed(bearer)
    case .customToken:
      guard let token = credentials.token else { throw APIError(400, .missingParameter, "the body has no 'token'") }
      do throws(APIError) {
        let user = try foreignUser(token)
        identity = (user.provider, user.name)
      } catch {
        // 401 would say that the bearer's own token is bad.
        throw error.status == 401 ? APIError(400, error.code, error.message) : error
      }
    case .anonymous, .apiKey, .nickname, .function, nil: throw APIError.noProvider(provider)
    }
    if let known = try directory.identity(provider: identity.provider, name: identity.name) {
      guard known.user == bearer.user else {
        throw APIError(409, .accountNameInUse, "a user has already been created with this identity")
      }
    } else if try !directory.addIdentity(
      IdentityRecord(
        provider: identity.provider, name: identity.name, user: bearer.user))
    {
      throw APIError.nameTaken
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

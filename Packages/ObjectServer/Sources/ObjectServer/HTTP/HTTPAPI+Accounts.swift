import Permissions
import Transport

extension HTTPAPI {
  /// A new access token for a login; for a client that asks for it with `"rotate": true`, a new refresh token as well.
  ///
  /// - Throws: ``APIError`` with 401; ``ServerError`` when the token cannot be signed or the directory cannot be written.
  static func refresh(_ request: HTTPRequest, _ accounts: Accounts, _ bearer: LoginBearer) throws -> HTTPResponse {
    let body = request.body.isEmpty ? nil : try JSONAnswer.read(RefreshRequest.self, from: request)
    guard body?.rotate == true else {
      return JSONAnswer.response(201, SessionBody(access_token: try accounts.accessToken(bearer.user, bearer.login)))
    }
    let (access, refresh) = try accounts.rotate(try token(of: request))
    return JSONAnswer.response(201, SessionBody(access_token: access, refresh_token: refresh))
  }

  /// Ends a login.
  ///
  /// - Throws: ``ServerError`` when the directory cannot be written.
  static func logOut(_ accounts: Accounts, _ bearer: LoginBearer) throws -> HTTPResponse {
    try accounts.directory.endLogin(bearer.login.id)
    return JSONAnswer.empty(204)
  }

  /// Deletes the bearer's user.
  ///
  /// - Throws: ``ServerError`` when the directory cannot be written.
  static func deleteUser(_ accounts: Accounts, _ bearer: Bearer) throws -> HTTPResponse {
    try accounts.directory.deleteUser(bearer.user)
    return JSONAnswer.empty(204)
  }

  /// The id of the user with an identity.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError`` when the directory cannot be read.
  static func account(provider: String, name: String, _ accounts: Accounts) throws -> HTTPResponse {
    guard let identity = try accounts.directory.identity(provider: provider, name: name) else {
      throw APIError.userNotFound
    }
    return JSONAnswer.response(200, AccountBody(userId: identity.user.rawValue))
  }

  /// The profile of the bearer in the form of stock clients.
  ///
  /// - Throws: ``ServerError`` when the directory cannot be read.
  static func profile(of bearer: Bearer, _ accounts: Accounts) throws -> HTTPResponse {
    let identities = try accounts.directory.identities(of: bearer.user)
    var data: [String: String] = [:]
    data["email"] = identities.first { $0.provider == AuthProvider.password.rawValue }?.name
    return JSONAnswer.response(
      200,
      ProfileBody(
        user_id: bearer.user.rawValue,
        identities: identities.map { ProfileBody.Identity(id: $0.name, provider_type: Self.stockType($0.provider)) },
        data: data))
  }

  /// The kind of a provider as stock clients know it; some of them end on other words.
  private static func stockType(_ provider: String) -> String {
    let kind = provider.prefix { $0 != ":" }
    return kind == AuthProvider.nickname.rawValue ? AuthProvider.function.rawValue : String(kind)
  }

  /// Changes the bearer's password, or that of the user whom an administrator names. Who is no administrator may do so five times at
  /// once, then every 30 seconds.
  ///
  /// - Throws: ``APIError`` for a bad body, a bad password, an unknown user or a missing right, with 429 for too many changes;
  ///   ``ServerError``.
  func changePassword(_ request: HTTPRequest, _ accounts: Accounts, by bearer: Bearer) throws -> HTTPResponse {
    let body = try JSONAnswer.read(PasswordRequest.self, from: request)
    guard let password = body.password ?? body.data?.new_password else {
      throw APIError(400, .missingParameter, "the body has no 'password'")
    }
    if !bearer.subject.isAdministrator {
      guard try limits.admit(.passwordChange(user: bearer.user.rawValue)).wait == .zero else {
        throw APIError.tooManyPasswords
      }
    }
    try accounts.changePassword(
      to: password, by: bearer, of: (body.userId ?? body.user_id).map { UserId($0) },
      keepsKeys: body.keepAPIKeys ?? false)
    return JSONAnswer.empty(204)
  }

  /// The realms in the bearer's folder; all for an administrator.
  ///
  /// - Throws: ``ServerError`` when the directory cannot be read.
  static func realms(_ accounts: Accounts, of bearer: Bearer) throws -> HTTPResponse {
    let paths =
      bearer.subject.isAdministrator
      ? try accounts.directory.allRealms() : try accounts.directory.realms(in: bearer.user)
    return JSONAnswer.response(
      200, RealmsBody(realms: paths.map { .init(path: $0.description, owner: $0.owner?.rawValue) }))
  }
}

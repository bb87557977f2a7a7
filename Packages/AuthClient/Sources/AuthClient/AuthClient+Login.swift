import AccessTokens
public import Permissions
import Telemetry
import Transport

extension AuthClient {
  /// Registers a user with a name and a password, without logging in.
  ///
  /// - Throws: ``AuthError/Code/userExists``, ``AuthError/Code/invalidParameter``, ``AuthError/Code/unreachable``
  public func register(name: String, password: String) async throws {
    let call = AuthCall<Void>(
      "POST", appPath("auth/providers/local-userpass/register"), authorisation: .none,
      body: RegisterBody(email: name, password: password))
    try await send(call)
  }

  /// Logs a user in, stores the login, and makes the user the current one.
  ///
  /// - Parameter readsProfile: whether the login asks for the user's profile, too, as stock SDKs do, and fails without it.
  /// - Throws: ``AuthError/Code/invalidCredentials``, ``AuthError/Code/userExists`` when registration is asked for
  ///   always, ``AuthError/Code/providerUnavailable``, ``AuthError/Code/tooManyAttempts``, ``AuthError/Code/unreachable``
  @discardableResult
  public func logIn(_ credentials: AuthCredentials, readsProfile: Bool = false) async throws -> AuthUser {
    var user: AuthUser
    switch credentials.proof {
    case .password(let name, let password, let registration):
      if registration != .never { try await register(name, password, mayExist: registration == .ifMissing) }
      user = try await logIn(credentials, name: name)
    case .legacy(let provider, let data, let userInfo):
      user = try await logIn(LegacyLoginBody(provider: provider, data: data, app_id: app, user_info: userInfo))
    case .anonymous, .customToken, .apiKey, .provider: user = try await logIn(credentials, name: nil)
    case .tokens(let access, let refresh, let id, let isAdministrator):
      user = try Self.user(access: access, refresh: refresh, id: id, isAdministrator: isAdministrator)
    }
    if readsProfile, let token = user.accessToken {
      user.profile = try await send(Self.profileCall, bearer: token.unredacted).profile
    } else {
      user.profile = allUsers.first { $0.id == user.id }?.profile
    }
    try remember(user, asCurrent: true)
    return user
  }

  /// Attaches another way to log in to a logged-in user, whose id stays.
  ///
  /// - Returns: the user with a new access token and the new profile.
  /// - Throws: ``AuthError/Code/invalidCredentials``; ``AuthError/Code/userExists`` for the login of another user;
  ///   ``AuthError/Code/invalidParameter`` for anonymous credentials and tokens; ``AuthError/Code/loginEnded``;
  ///   ``AuthError/Code/unreachable``
  @discardableResult
  public func link(_ credentials: AuthCredentials, to id: UserId) async throws -> AuthUser {
    guard let (provider, body) = try credentials.loginBody, provider != AuthCredentials.anonymousProvider else {
      throw AuthError(
        .invalidParameter, "a login of this kind cannot be linked", remedy: "link a name with a password, or a token")
    }
    let call = AuthCall<SessionAnswer>(
      "POST", appPath("auth/providers/\(PercentCoding.encoded(provider))/login") + "?link=true", authorisation: .access,
      rawBody: body)
    try store(try await send(call, by: id), of: id)
    try await readProfile(of: id)
    guard let user = user(id) else { throw AuthError.notLoggedIn }
    return user
  }

  private func register(_ name: String, _ password: String, mayExist: Bool) async throws {
    do {
      try await register(name: name, password: password)
    } catch let error as AuthError where error.code == .userExists && mayExist {
      return
    }
  }

  private func logIn(_ credentials: AuthCredentials, name: String?) async throws -> AuthUser {
    guard let (provider, body) = try credentials.loginBody else { throw AuthError.notLoggedIn }
    let answer = try await send(
      AuthCall<LoginAnswer>(
        "POST", appPath("auth/providers/\(PercentCoding.encoded(provider))/login"), authorisation: .none, rawBody: body)
    )
    guard let claims = try? TokenVerifier.readWithoutVerification(answer.access_token) else {
      throw AuthError.badResponse("its access token cannot be read", status: 200)
    }
    return AuthUser(
      id: UserId(answer.user_id), name: name, provider: provider, isAdministrator: claims.isAdministrator,
      accessToken: Redacted(answer.access_token), refreshToken: Redacted(answer.refresh_token))
  }

  /// The login call of servers before the client API: its answer has a refresh token only.
  private func logIn(_ body: LegacyLoginBody) async throws -> AuthUser {
    let answer = try await send(AuthCall<LegacyLoginAnswer>("POST", "/auth", authorisation: .none, body: body))
    let token = answer.refresh_token
    return AuthUser(
      id: UserId(token.token_data.identity), name: nil, provider: body.provider,
      isAdministrator: token.token_data.is_admin ?? false, accessToken: nil, refreshToken: Redacted(token.token))
  }

  private static func user(
    access: String?, refresh: String?, id: UserId?, isAdministrator: Bool?
  ) throws(AuthError) -> AuthUser {
    do {
      guard let text = access ?? refresh else { throw AuthError.notLoggedIn }
      let claims = try TokenVerifier.readWithoutVerification(text)
      return AuthUser(
        id: id ?? claims.user, name: nil, provider: "token",
        isAdministrator: isAdministrator ?? claims.isAdministrator,
        accessToken: access.map(Redacted.init), refreshToken: refresh.map(Redacted.init))
    } catch {
      throw AuthError(
        .invalidCredentials, "the token cannot be used: \(error)", remedy: "use the token as the server gave it")
    }
  }

  /// Ends a login: first on this device, then on the server if it can be reached. Does nothing for a user who is not
  /// logged in.
  ///
  /// - Throws: ``AuthError/Code/storage`` when the file of users cannot be changed.
  public func logOut(_ id: UserId) async throws {
    try beginLogOut(id)
    await endLogOut(id)
  }

  /// Forgets the tokens of a log-out that has begun, and ends the login on the server if it can be reached.
  public func endLogOut(_ id: UserId) async {
    guard let token = takeLeaving(id)?.refreshToken else { return }
    let call = AuthCall<Void>("DELETE", "/api/client/v2.0/auth/session", authorisation: .refresh)
    try? await send(call, bearer: token.unredacted)
  }
}

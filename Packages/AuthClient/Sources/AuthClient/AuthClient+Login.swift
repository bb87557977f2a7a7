import AccessTokens
public import Permissions
import Telemetry

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
  /// - Throws: ``AuthError/Code/invalidCredentials``, ``AuthError/Code/userExists`` when registration is asked for
  ///   always, ``AuthError/Code/tooManyAttempts``, ``AuthError/Code/unreachable``
  @discardableResult
  public func logIn(_ credentials: Credentials) async throws -> AuthUser {
    let user: AuthUser
    switch credentials.proof {
    case .password(let name, let password, let registration):
      if registration != .never { try await register(name, password, mayExist: registration == .ifMissing) }
      user = try await logIn(
        provider: "local-userpass", name: name,
        LoginBody(provider: "local-userpass", username: name, password: password))
    case .anonymous:
      user = try await logIn(provider: "anon-user", name: nil, LoginBody(provider: "anon-user"))
    case .customToken(let token):
      user = try await logIn(provider: "custom-token", name: nil, LoginBody(provider: "custom-token", token: token))
    case .tokens(let access, let refresh):
      user = try Self.user(access: access, refresh: refresh)
    }
    try remember(user, asCurrent: true)
    return user
  }

  private func register(_ name: String, _ password: String, mayExist: Bool) async throws {
    do {
      try await register(name: name, password: password)
    } catch let error as AuthError where error.code == .userExists && mayExist {
      return
    }
  }

  private func logIn(provider: String, name: String?, _ body: LoginBody) async throws -> AuthUser {
    let answer = try await send(
      AuthCall<LoginAnswer>(
        "POST", appPath("auth/providers/\(provider)/login"), authorisation: .none, body: body))
    guard let claims = try? TokenVerifier.readWithoutVerification(answer.access_token) else {
      throw AuthError.badResponse("its access token cannot be read", status: 200)
    }
    return AuthUser(
      id: UserId(answer.user_id), name: name, provider: provider, isAdministrator: claims.isAdministrator,
      accessToken: Redacted(answer.access_token), refreshToken: Redacted(answer.refresh_token))
  }

  private static func user(access: String?, refresh: String?) throws(AuthError) -> AuthUser {
    do {
      guard let text = access ?? refresh else { throw AuthError.notLoggedIn }
      let claims = try TokenVerifier.readWithoutVerification(text)
      return AuthUser(
        id: claims.user, name: nil, provider: "token", isAdministrator: claims.isAdministrator,
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
    guard let user = user(id) else { return }
    try forget(id)
    guard let token = user.refreshToken else { return }
    let call = AuthCall<Void>("DELETE", "/api/client/v2.0/auth/session", authorisation: .refresh)
    try? await send(call, bearer: token.unredacted)
  }
}

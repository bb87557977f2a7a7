public import Permissions
import Telemetry
import Transport

extension AuthClient {
  static let profileCall = AuthCall<ProfileAnswer>("GET", "/api/client/v2.0/auth/profile", authorisation: .access)

  /// The server's profile of a user.
  ///
  /// - Throws: ``AuthError/Code/notLoggedIn``, ``AuthError/Code/loginEnded``, ``AuthError/Code/unreachable``
  public func profile(of id: UserId) async throws -> UserProfile { try await send(Self.profileCall, by: id).profile }

  /// Asks for the profile of a user and stores it.
  ///
  /// - Throws: as ``profile(of:)``, and ``AuthError/Code/storage``
  public func readProfile(of id: UserId) async throws {
    let profile = try await profile(of: id)
    guard var user = user(id) else { throw AuthError.notLoggedIn }
    user.profile = profile
    try remember(user, asCurrent: false)
  }

  /// Deletes a user on the server, and here.
  ///
  /// - Throws: ``AuthError/Code/notLoggedIn``, ``AuthError/Code/loginEnded``, ``AuthError/Code/unreachable``
  public func deleteUser(_ id: UserId) async throws {
    try await send(AuthCall<Void>("DELETE", "/api/client/v2.0/auth/delete", authorisation: .access), by: id)
    try beginLogOut(id)
    _ = takeLeaving(id)
  }

  /// Changes a password. All other logins of that user end, and the API keys are revoked.
  ///
  /// - Parameters:
  ///   - password: the new password.
  ///   - id: the caller.
  ///   - other: the user whose password changes; nil for the caller. Only administrators may name another user.
  ///   - keepsAPIKeys: whether the API keys go on opening logins.
  /// - Throws: ``AuthError/Code/invalidParameter`` for a password that is too short;
  ///   ``AuthError/Code/permissionDenied``
  public func changePassword(
    to password: String, by id: UserId, of other: UserId? = nil, keepsAPIKeys: Bool = false
  ) async throws {
    try await send(
      AuthCall<Void>(
        "PUT", "/api/openrealm/v1/password", authorisation: .access,
        body: PasswordBody(password: password, userId: other?.rawValue, keepAPIKeys: keepsAPIKeys ? true : nil)), by: id
    )
  }

  /// The id of the user with a name. Only administrators may ask.
  ///
  /// - Throws: ``AuthError/Code/userNotFound``, ``AuthError/Code/permissionDenied``
  public func userId(ofName name: String, provider: String = "local-userpass", by id: UserId) async throws -> UserId {
    let path = "/api/openrealm/v1/users/\(PercentCoding.encoded(provider))/\(PercentCoding.encoded(name))"
    return UserId(try await send(AuthCall<AccountAnswer>("GET", path, authorisation: .access), by: id).userId)
  }
}

/// The accounts of a user, as a server tells them.
public struct AccountInfo: Hashable, Sendable {
  /// One account of the user with a provider.
  public struct Account: Hashable, Sendable {
    /// The provider, such as `password`.
    public var provider: String
    /// The name of the user within the provider.
    public var name: String
  }

  /// The user.
  public var user: UserId
  /// Whether the user administers the server.
  public var isAdministrator: Bool
  /// The accounts of the user.
  public var accounts: [Account]
  /// Texts about the user.
  public var metadata: [String: String]
}

extension AuthClient {
  /// The accounts of the user with one of them. Only administrators may ask.
  ///
  /// - Parameter provider: the provider of the documented login call: `password`, `jwt`, `nickname`, …
  /// - Throws: ``AuthError/Code/userNotFound``, ``AuthError/Code/permissionDenied``
  public func accountInfo(name: String, provider: String, by id: UserId) async throws -> AccountInfo {
    let path = "/auth/users/\(PercentCoding.encoded(provider))/\(PercentCoding.encoded(name))"
    let answer = try await send(AuthCall<AccountInfoAnswer>("GET", path, authorisation: .access), by: id)
    guard let user = answer.user_id ?? answer.userId else {
      throw AuthError.badResponse("it names no user", status: 200)
    }
    let accounts = answer.accounts ?? [.init(provider: provider, provider_id: name)]
    return AccountInfo(
      user: UserId(user), isAdministrator: answer.is_admin ?? answer.isAdmin ?? false,
      accounts: accounts.map { .init(provider: $0.provider, name: $0.provider_id) },
      metadata: Dictionary((answer.metadata ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
  }
}

public import Permissions
import Telemetry
import Transport

extension AuthClient {
  /// The server's profile of a user.
  ///
  /// - Throws: ``AuthError/Code/notLoggedIn``, ``AuthError/Code/loginEnded``, ``AuthError/Code/unreachable``
  public func profile(of id: UserId) async throws -> UserProfile {
    let answer = try await send(
      AuthCall<ProfileAnswer>("GET", "/api/client/v2.0/auth/profile", authorisation: .access), by: id)
    return UserProfile(
      id: answer.user_id.map { UserId($0) },
      identities: answer.identities.map { UserProfile.Identity(id: $0.id, provider: $0.provider_type) },
      data: answer.data)
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

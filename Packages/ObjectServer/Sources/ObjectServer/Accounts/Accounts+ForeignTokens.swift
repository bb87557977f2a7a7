import Cryptography
import Permissions
import Telemetry

extension Accounts {
  /// Logs in the bearer of another system's token, and creates the user at the first login.
  ///
  /// - Throws: ``APIError``; ``ServerError``.
  func logIn(customToken text: String, app: String) throws -> Tokens {
    let (name, isAdministrator) = try foreignUser(text)
    var user = try customUser(name)
    if let isAdministrator, isAdministrator != user.isAdministrator {
      user.isAdministrator = isAdministrator
      try directory.updateUser(user.id, isAdministrator: isAdministrator, isDisabled: nil)
    }
    return try openLogin(user, app: app, lifetime: policy.refreshTokenLifetime)
  }

  /// The user that another system's token names, and its claim about administrators.
  ///
  /// The user is the claim `userId`, or `sub` when there is none. Claims that are not named here are not read.
  ///
  /// - Throws: ``APIError`` with 401, saying which rule the token breaks; with 404 while no key is configured.
  func foreignUser(_ text: String) throws(APIError) -> (name: String, isAdministrator: Bool?) {
    guard !foreignKeys.isEmpty else { throw .noProvider(AuthProvider.customToken.rawValue) }
    let token: JSONWebToken
    let rules = policy.foreignTokens
    let seconds = now.secondsSince1970
    let claims: ForeignClaims
    do throws(JSONWebTokenError) {
      token = try JSONWebToken.verify(text, with: foreignKeys, at: seconds, leeway: rules.leeway.components.seconds)
      claims = try token.claims(as: ForeignClaims.self)
    } catch {
      throw APIError(401, .authError, "\(error)")
    }
    if let flaw = rules.flaw(of: token.registered, at: seconds) { throw APIError(401, .authError, flaw) }
    guard let name = claims.userId ?? token.registered.subject, (try? checkName(name)) != nil else {
      throw APIError(
        401, .authError,
        "the token names no user: it needs the claim sub, 1 to \(Self.maximumNameBytes) bytes without control characters"
      )
    }
    return (name, claims.isAdmin)
  }

  private struct ForeignClaims: Decodable {
    var userId: String?
    var isAdmin: Bool?
  }

  private func customUser(_ name: String) throws -> UserRecord {
    if let identity = try directory.identity(provider: AuthProvider.customToken.rawValue, name: name),
      let user = try directory.user(identity.user)
    {
      return user
    }
    let user = UserRecord(id: newUserId(), createdAt: now)
    let identity = IdentityRecord(provider: AuthProvider.customToken.rawValue, name: name, user: user.id)
    if try directory.createUser(user, identity: identity) { return user }
    // Another login with the same token created the user first.
    guard let winner = try directory.identity(provider: AuthProvider.customToken.rawValue, name: name),
      let user = try directory.user(winner.user)
    else { throw APIError.storage }
    return user
  }
}

import AccessTokens
import Permissions
import Telemetry

/// The bearer of a token that was checked: signature, kind, time, login and user.
struct Bearer: Hashable, Sendable {
  var subject: AccessSubject
  /// The login that the token belongs to; nil for tokens that belong to none.
  var login: String?
  var app: String
  /// The time of expiry.
  var expiresAt: WallTime

  var user: UserId { subject.user }
}

extension Accounts {
  /// The reason for which a token is refused.
  enum TokenRefusal: Error, Hashable, Sendable {
    /// The token has expired; a new one will be accepted.
    case expired
    /// The token is not valid, or its login has ended.
    case refused(String)
  }

  /// The bearer of an access token.
  ///
  /// - Throws: ``TokenRefusal``; ``ServerError`` when the directory cannot be read.
  func bearer(accessToken text: String) throws -> Bearer {
    let claims: TokenClaims
    do throws(TokenError) {
      claims = try keys.verify(text, kind: .access, at: now)
    } catch {
      throw error.code == .expired ? TokenRefusal.expired : TokenRefusal.refused(error.message)
    }
    if let login = claims.login { try checkLogin(login, of: claims.user) }
    var isAdministrator = claims.isAdministrator
    if claims.user != Self.administratorTokenUser {
      guard let user = try directory.user(claims.user) else { throw TokenRefusal.refused("the user does not exist") }
      guard !user.isDisabled else { throw TokenRefusal.refused("the user is disabled") }
      isAdministrator = user.isAdministrator
    }
    let path = try claims.path.map { text in
      guard let path = try? RealmPath(text, for: claims.user) else {
        throw TokenRefusal.refused("the token is for a path that is none")
      }
      return path
    }
    return Bearer(
      subject: AccessSubject(
        user: claims.user, isAdministrator: isAdministrator, tokenPath: path, tokenLevel: claims.level),
      login: claims.login, app: claims.app, expiresAt: claims.expiresAt)
  }

  private func checkLogin(_ id: String, of user: UserId) throws {
    guard let login = try directory.login(id), login.user == user, login.expiresAt > now else {
      throw TokenRefusal.refused("the login has ended")
    }
  }

  /// The login and the user of a refresh token.
  ///
  /// - Throws: ``APIError`` with 401; ``ServerError`` when the directory cannot be read.
  func login(refreshToken text: String) throws -> (LoginRecord, UserRecord) {
    let (login, user, _, _) = try presented(text)
    return (login, user)
  }

  /// Where a refresh token stands in the line of its login's tokens.
  enum TokenPlace: Hashable, Sendable {
    case present, previous
  }

  /// The login and the user of a refresh token, the secret of the token, and its place. A token that is neither the present
  /// one nor the one before was used by somebody twice: the login ends.
  ///
  /// - Throws: ``APIError`` with 401; ``ServerError`` when the directory cannot be read or written.
  func presented(
    _ text: String
  ) throws -> (login: LoginRecord, user: UserRecord, secret: String, place: TokenPlace) {
    let claims: TokenClaims
    do throws(TokenError) {
      claims = try keys.verify(text, kind: .refresh, at: now)
    } catch {
      throw APIError(401, .invalidSession, "invalid session: \(error.message)")
    }
    guard let id = claims.login, let login = try directory.login(id), login.user == claims.user, login.expiresAt > now,
      let user = try directory.user(login.user)
    else { throw APIError.endedLogin }
    guard !user.isDisabled else { throw APIError.disabled }
    let secret = claims.secret ?? "", digest = Self.digest(of: secret)
    let record = login.refreshToken ?? Self.recordOfEarlierReleases
    if digest == record.digest { return (login, user, secret, .present) }
    guard digest == record.previousDigest else {
      try directory.endLogin(login.id)
      throw APIError.reusedToken
    }
    return (login, user, secret, .previous)
  }

}

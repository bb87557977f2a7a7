import ByteCoding
import Cryptography
import Permissions
import Telemetry

// Refresh tokens of clients that understand it are replaced at each use. Of the present token and the one before, digests are
// kept; any other token of the login was copied, and the login ends.
extension Accounts {
  /// The time in which the token that was just replaced gets the same answer again: for answers that were lost, and for
  /// programs that share one store of tokens.
  static let rotationGrace = Duration.seconds(60)

  /// Logins of releases that kept nothing have tokens without a secret.
  static let recordOfEarlierReleases = RefreshTokenRecord(digest: digest(of: ""))

  /// A new access token and a new refresh token for the bearer of a refresh token.
  ///
  /// The token before the present one is answered as well, since the answer that replaced it may be lost: within
  /// ``rotationGrace`` with the same new token, later with another one that displaces it. So a client that lost an answer goes
  /// on, whenever it comes back; and when two parties hold one token, one of them presents a token that was displaced.
  ///
  /// - Throws: ``APIError`` with 401; ``ServerError``.
  func rotate(_ text: String) throws -> (access: String, refresh: String) {
    for _ in 0..<8 {
      let (login, user, secret, place) = try presented(text)
      if place == .previous, let record = login.refreshToken, let nonce = record.nonce,
        let time = record.rotatedAt, now < time + Self.rotationGrace
      {
        let present = try Self.successor(of: secret, nonce)
        if Self.digest(of: present) == record.digest { return try tokens(user, login, present) }
      }
      let nonce = random.hex(digits: 32), next = try Self.successor(of: secret, nonce)
      let record = RefreshTokenRecord(
        digest: Self.digest(of: next), previousDigest: Self.digest(of: secret), nonce: nonce, rotatedAt: now)
      var renewed = login
      renewed.expiresAt = max(login.expiresAt, now + policy.refreshTokenLifetime)
      let isReplaced = try directory.replaceRefreshToken(
        login.refreshToken, with: record, of: login.id, expiresAt: renewed.expiresAt)
      if isReplaced { return try tokens(user, renewed, next) }
      // Another request was faster; the token stands elsewhere now.
    }
    throw APIError.storage
  }

  private func tokens(
    _ user: UserRecord, _ login: LoginRecord, _ secret: String
  ) throws -> (access: String, refresh: String) {
    (try accessToken(user, login), try refreshToken(user, login, secret: secret))
  }

  /// The secret that follows from another one: whoever has only the directory cannot compute it.
  private static func successor(of secret: String, _ nonce: String) throws -> String {
    hexText(try HMACSHA256(key: Array(secret.utf8)).tag(for: Array(nonce.utf8)))
  }
}

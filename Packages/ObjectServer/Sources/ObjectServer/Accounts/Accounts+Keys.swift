import ByteCoding
import Cryptography
import Permissions
import Telemetry

/// A new API key with its secret, which is answered only once.
struct NewAPIKey {
  var record: APIKeyRecord
  var secret: String
}

extension Accounts {
  static let maximumKeysPerUser = 20

  /// Creates a key for the user of a login.
  ///
  /// - Throws: ``APIError`` when the name is bad or taken or the user has too many keys; ``ServerError``.
  func createAPIKey(named name: String, by login: LoginRecord) throws -> NewAPIKey {
    try createAPIKey(named: name, for: login.user, by: login.id)
  }

  /// Creates a key for a user.
  ///
  /// - Parameter login: the login that asks for it; nil for an administrator.
  /// - Throws: ``APIError`` when the name is bad or taken or the user has too many keys; ``ServerError``.
  func createAPIKey(named name: String, for user: UserId, by login: String?) throws -> NewAPIKey {
    guard !name.isEmpty, name.utf8.count <= Self.maximumNameBytes,
      name.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || $0.value < 0x80 && $0.value > 0x20 })
    else {
      throw APIError(400, .invalidParameter, "a key's name has 1 to \(Self.maximumNameBytes) bytes and no blanks")
    }
    let existing = try directory.apiKeys(of: user)
    guard !existing.contains(where: { $0.name == name }) else {
      throw APIError(409, .apiKeyAlreadyExists, "API key already exists: '\(name)'")
    }
    guard existing.count < Self.maximumKeysPerUser else {
      throw APIError(400, .badRequest, "a user has at most \(Self.maximumKeysPerUser) API keys; delete one first")
    }
    let secret = random.hex(digits: 64)
    let record = APIKeyRecord(
      id: random.hex(digits: 24), user: user, name: name, digest: Self.digest(of: secret), createdAt: now)
    guard try directory.createAPIKey(record, by: login) else { throw APIError.endedLogin }
    return NewAPIKey(record: record, secret: secret)
  }

  /// One key of a user.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError``.
  func apiKey(_ id: String, of user: UserId) throws -> APIKeyRecord {
    guard let key = try directory.apiKeys(of: user).first(where: { $0.id == id }) else { throw APIError.noKey }
    return key
  }

  /// Enables or disables a key; the logins of a disabled key end.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError``.
  func setAPIKey(_ id: String, of user: UserId, enabled: Bool) throws {
    guard try directory.setAPIKey(apiKey(id, of: user).id, isDisabled: !enabled) else { throw APIError.noKey }
  }

  /// Revokes a key with the logins that were made with it.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError``.
  func deleteAPIKey(_ id: String, of user: UserId) throws {
    guard try directory.deleteAPIKey(apiKey(id, of: user).id) else { throw APIError.noKey }
  }

  /// Logs in the bearer of an API key as its owner.
  ///
  /// - Throws: ``APIError`` with 401; ``ServerError``.
  func logIn(apiKey secret: String, app: String) throws -> Tokens {
    let digest = Self.digest(of: secret)
    guard let key = try directory.apiKey(digest: digest), let user = try directory.user(key.user) else {
      throw APIError.badKey
    }
    guard !key.isDisabled else { throw APIError(401, .invalidSession, "the API key is disabled") }
    return try openLogin(
      user, app: app, lifetime: policy.refreshTokenLifetime, key: key.id, proof: .apiKey(digest: digest))
  }

  /// The digest that is kept of a secret of 256 random bits, of an API key or a refresh token: a plain one hides it.
  static func digest(of secret: String) -> String {
    hexText(Digest.sha256.hash(Array(secret.utf8)))
  }
}

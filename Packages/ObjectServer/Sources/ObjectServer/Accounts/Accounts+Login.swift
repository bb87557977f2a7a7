import Cryptography
import Foundation
import Permissions
import Telemetry

extension Accounts {
  static let passwordProvider = "local-userpass"
  static let anonymousProvider = "anon-user"
  static let customProvider = "custom-token"
  static let maximumNameBytes = 256
  static let maximumPasswordBytes = 1_024

  /// Makes a user with a name and a password.
  ///
  /// - Throws: ``APIError``; ``ServerError``
  @discardableResult
  func register(name: String, password: String, isAdministrator: Bool = false) throws -> UserRecord {
    try checkName(name)
    try checkPassword(password)
    guard try directory.identity(provider: Self.passwordProvider, name: name) == nil else { throw APIError.nameTaken }
    let user = UserRecord(id: newUserId(), isAdministrator: isAdministrator, createdAt: now)
    let identity = IdentityRecord(
      provider: Self.passwordProvider, name: name, user: user.id, passwordHash: try hasher.hash(password))
    guard try directory.createUser(user, identity: identity) else { throw APIError.nameTaken }
    return user
  }

  /// Logs a user in by name and password. Takes the same time for a name that does not exist.
  func logIn(name: String, password: String, app: String) throws -> Tokens {
    let identity = try directory.identity(provider: Self.passwordProvider, name: name)
    var stored = identity?.passwordHash
    guard password.utf8.count <= Self.maximumPasswordBytes else { throw APIError.wrongPassword }
    let isRight = try stored.map { try hasher.verify(password, against: $0) }
    if isRight == nil { _ = try hasher.hash(password) }
    guard let identity, let known = stored, isRight == true, let user = try directory.user(identity.user) else {
      throw APIError.wrongPassword
    }
    if hasher.needsRehash(known) {
      let fresh = try hasher.hash(password)
      // Somebody may have set another password meanwhile.
      let isReplaced = try directory.replacePasswordHash(
        known, with: fresh, provider: identity.provider, name: identity.name)
      guard isReplaced else { throw APIError.wrongPassword }
      stored = fresh
    }
    return try openLogin(user, app: app, lifetime: policy.refreshTokenLifetime) {
      try directory.identity(provider: identity.provider, name: identity.name)?.passwordHash == stored
    }
  }

  /// Makes a user without a name and logs them in.
  func logInAnonymously(app: String) throws -> Tokens {
    guard policy.allowsAnonymous else { throw APIError.noProvider(Self.anonymousProvider) }
    let user = UserRecord(id: newUserId(), createdAt: now)
    let identity = IdentityRecord(provider: Self.anonymousProvider, name: user.id.rawValue, user: user.id)
    guard try directory.createUser(user, identity: identity) else { throw APIError.storage }
    return try openLogin(user, app: app, lifetime: policy.anonymousLifetime)
  }

  func newUserId() -> UserId { UserId(random.hex(digits: 24)) }

  func checkName(_ name: String) throws(APIError) {
    guard !name.isEmpty, name.utf8.count <= Self.maximumNameBytes else {
      throw .badRequest("a user name has 1 to \(Self.maximumNameBytes) bytes")
    }
    guard name != "*", name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw .badRequest("a user name has no control characters and is not '*'")
    }
  }

  func checkPassword(_ password: String) throws(APIError) {
    guard password.utf8.count >= policy.minimumPasswordBytes, password.utf8.count <= Self.maximumPasswordBytes else {
      throw .badRequest(
        "a password has \(policy.minimumPasswordBytes) to \(Self.maximumPasswordBytes) bytes; choose another one")
    }
  }
}

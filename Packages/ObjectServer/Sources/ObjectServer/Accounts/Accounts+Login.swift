import Cryptography
import Foundation
import Permissions
import Telemetry

extension Accounts {
  static let maximumNameBytes = 256
  static let maximumPasswordBytes = 1_024

  /// Creates a user with a name and a password.
  ///
  /// - Throws: ``APIError``; ``ServerError``
  @discardableResult
  func register(name: String, password: String, isAdministrator: Bool = false) throws -> UserRecord {
    try checkName(name)
    try checkPassword(password)
    func isTaken() throws -> Bool {
      try directory.identity(provider: AuthProvider.password.rawValue, name: name) != nil
    }
    // Taken names that are hidden must not show by the time of the answer either, so they cost the same work.
    if !policy.hidesTakenNames, try isTaken() { throw APIError.nameTaken }
    let hash = try hash(password)
    guard try !isTaken() else { throw APIError.nameTaken }
    let user = UserRecord(id: newUserId(), isAdministrator: isAdministrator, createdAt: now)
    let identity = IdentityRecord(
      provider: AuthProvider.password.rawValue, name: name, user: user.id, passwordHash: hash)
    guard try directory.createUser(user, identity: identity) else { throw APIError.nameTaken }
    return user
  }

  /// Creates a user on request of a client. Reports a taken name only if the policy permits.
  ///
  /// - Throws: ``APIError``; ``ServerError``
  func registerByRequest(name: String, password: String) throws {
    do {
      try register(name: name, password: password)
    } catch let error as APIError where error == .nameTaken && policy.hidesTakenNames {
      return
    }
  }

  /// Logs a user in by name and password.
  ///
  /// - Throws: ``APIError``; ``ServerError``.
  func logIn(name: String, password: String, app: String) throws -> Tokens {
    guard let identity = try proven(name: name, password: password), let known = identity.passwordHash,
      let user = try directory.user(identity.user)
    else { throw APIError.wrongPassword }
    var stored = known
    if hasher.needsRehash(known) {
      stored = try hash(password)
      // The password may have been changed meanwhile.
      let isReplaced = try directory.replacePasswordHash(
        known, with: stored, provider: identity.provider, name: identity.name)
      guard isReplaced else { throw APIError.wrongPassword }
    }
    return try openLogin(
      user, app: app, lifetime: policy.refreshTokenLifetime,
      proof: .password(provider: identity.provider, name: identity.name, hash: stored))
  }

  /// The identity with a name and a password; nil when there is none, after the same work as for an existing one.
  ///
  /// - Throws: ``ServerError``; an error of the hash function.
  func proven(name: String, password: String) throws -> IdentityRecord? {
    let identity = try directory.identity(provider: AuthProvider.password.rawValue, name: name)
    guard password.utf8.count <= Self.maximumPasswordBytes else { return nil }
    guard let identity, let stored = identity.passwordHash else {
      _ = try hash(password)
      return nil
    }
    return try verify(password, against: stored) ? identity : nil
  }

  /// The hash to store for a password.
  func hash(_ password: String) throws -> String {
    passwordHashes?.increment()
    return try hasher.hash(password)
  }

  /// Whether a password is that of a stored hash; overlong ones are not, at once.
  ///
  /// - Throws: an error of the hash function.
  func verify(_ password: String, against stored: String) throws -> Bool {
    guard password.utf8.count <= Self.maximumPasswordBytes else { return false }
    passwordHashes?.increment()
    return try hasher.verify(password, against: stored)
  }

  /// Creates a user without a name and logs them in.
  ///
  /// - Throws: ``APIError``; ``ServerError``.
  func logInAnonymously(app: String) throws -> Tokens {
    let user = UserRecord(id: newUserId(), createdAt: now)
    let identity = IdentityRecord(provider: AuthProvider.anonymous.rawValue, name: user.id.rawValue, user: user.id)
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

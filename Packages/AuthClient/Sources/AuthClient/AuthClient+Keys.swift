public import Permissions
import Transport

/// A key with which programs log in as the user who made it.
public struct UserKey: Hashable, Sendable {
  /// The server's name for the key: 24 hexadecimal digits.
  public var id: String
  /// The name that the user gave the key.
  public var name: String
  /// Whether the key opens no logins at present.
  public var isDisabled: Bool
  /// The secret; only in the answer that made the key.
  public var secret: String?
}

/// Keys of a user. Calls throw ``AuthError/Code/notLoggedIn``, ``AuthError/Code/loginEnded`` and
/// ``AuthError/Code/unreachable`` besides what they name.
extension AuthClient {
  private static let keysPath = "/api/client/v2.0/auth/api_keys"

  private static func path(_ key: String, _ verb: String = "") -> String {
    keysPath + "/" + PercentCoding.encoded(key) + verb
  }

  /// Makes a key.
  ///
  /// - Returns: the key with its secret, which the server does not tell again.
  /// - Throws: ``AuthError/Code/invalidParameter`` for a name that is taken or cannot be one.
  public func createKey(named name: String, by id: UserId) async throws -> UserKey {
    let call = AuthCall<KeyAnswer>("POST", Self.keysPath, authorisation: .refresh, body: KeyBody(name: name))
    return try await send(call, by: id).key
  }

  /// The keys of a user, without their secrets.
  ///
  /// - Throws: ``AuthError`` when the login has ended, the server refuses, or cannot be reached.
  public func keys(of id: UserId) async throws -> [UserKey] {
    try await send(AuthCall<[KeyAnswer]>("GET", Self.keysPath, authorisation: .refresh), by: id).map(\.key)
  }

  /// One key of a user, without its secret.
  ///
  /// - Throws: ``AuthError/Code/keyNotFound``
  public func key(_ key: String, of id: UserId) async throws -> UserKey {
    try await send(AuthCall<KeyAnswer>("GET", Self.path(key), authorisation: .refresh), by: id).key
  }

  /// Deletes a key; the logins made with it end.
  ///
  /// - Throws: ``AuthError/Code/keyNotFound``
  public func deleteKey(_ key: String, of id: UserId) async throws {
    try await send(AuthCall<Void>("DELETE", Self.path(key), authorisation: .refresh), by: id)
  }

  /// Enables or disables a key; the logins made with a disabled key end.
  ///
  /// - Throws: ``AuthError/Code/keyNotFound``
  public func setKey(_ key: String, enabled: Bool, of id: UserId) async throws {
    let path = Self.path(key, enabled ? "/enable" : "/disable")
    try await send(AuthCall<Void>("PUT", path, authorisation: .refresh), by: id)
  }
}

struct KeyBody: Encodable, Sendable {
  var name: String
}

struct KeyAnswer: Decodable, Sendable {
  var _id: String
  var name: String
  var disabled: Bool
  var secret: String?

  enum CodingKeys: String, CodingKey {
    case _id, name, disabled
    case secret = "key"
  }

  var key: UserKey { UserKey(id: _id, name: name, isDisabled: disabled, secret: secret) }
}

import AuthClient
public import DataModel

/// A key with which programs log in as the user who made it.
public struct UserAPIKey: Hashable, Sendable {
  /// The server's name for the key.
  public let objectId: ObjectId
  /// The name that the user gave the key.
  public let name: String
  /// The secret, for ``Credentials/userAPIKey(_:)``; only of a key that was just made.
  public let key: String?
  /// Whether the key opens no logins at present.
  public let disabled: Bool

  init(_ key: UserKey) throws {
    guard let id = try? ObjectId(string: key.id) else {
      throw AppError(.unknown, "the server's answer has a key without an id")
    }
    objectId = id
    name = key.name
    self.key = key.secret
    disabled = key.isDisabled
  }
}

/// The API keys of a user.
///
///     let key = try await user.apiKeysAuth.createAPIKey(named: "backup")
///
/// Calls throw ``AppError``; completions are called once, on a background thread.
public struct APIKeyAuth: Sendable {
  let user: SyncUser

  /// Makes a key. Its secret is told this once.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func createAPIKey(named name: String) async throws -> UserAPIKey {
    try await AppError.mapping { try UserAPIKey(await user.auth.createKey(named: name, by: user.userId)) }
  }

  /// One key, without its secret.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func fetchAPIKey(_ objectId: ObjectId) async throws -> UserAPIKey {
    try await AppError.mapping { try UserAPIKey(await user.auth.key(objectId.stringValue, of: user.userId)) }
  }

  /// All keys, without their secrets.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func fetchAPIKeys() async throws -> [UserAPIKey] {
    try await AppError.mapping { try await user.auth.keys(of: user.userId).map { try UserAPIKey($0) } }
  }

  /// Deletes a key; the logins made with it end.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func deleteAPIKey(_ objectId: ObjectId) async throws {
    try await AppError.mapping { try await user.auth.deleteKey(objectId.stringValue, of: user.userId) }
  }

  /// Lets a key open logins again.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func enableAPIKey(_ objectId: ObjectId) async throws {
    try await AppError.mapping { try await user.auth.setKey(objectId.stringValue, enabled: true, of: user.userId) }
  }

  /// Lets a key open no logins; the logins made with it end.
  ///
  /// - Throws: ``AppError`` when the server refuses, or cannot be reached.
  public func disableAPIKey(_ objectId: ObjectId) async throws {
    try await AppError.mapping { try await user.auth.setKey(objectId.stringValue, enabled: false, of: user.userId) }
  }
}

extension APIKeyAuth {
  /// The form of ``createAPIKey(named:)`` with a completion.
  public func createAPIKey(
    named name: String, completion: @escaping @Sendable (Result<UserAPIKey, any Error>) -> Void
  ) {
    answer(completion) { try await createAPIKey(named: name) }
  }

  /// The form of ``fetchAPIKey(_:)`` with a completion.
  public func fetchAPIKey(
    _ objectId: ObjectId, _ completion: @escaping @Sendable (Result<UserAPIKey, any Error>) -> Void
  ) {
    answer(completion) { try await fetchAPIKey(objectId) }
  }

  /// The form of ``fetchAPIKeys()`` with a completion.
  public func fetchAPIKeys(_ completion: @escaping @Sendable (Result<[UserAPIKey], any Error>) -> Void) {
    answer(completion) { try await fetchAPIKeys() }
  }

  /// The form of ``deleteAPIKey(_:)`` with a completion.
  public func deleteAPIKey(_ objectId: ObjectId, completion: @escaping @Sendable ((any Error)?) -> Void) {
    answer(completion) { try await deleteAPIKey(objectId) }
  }

  /// The form of ``enableAPIKey(_:)`` with a completion.
  public func enableAPIKey(_ objectId: ObjectId, completion: @escaping @Sendable ((any Error)?) -> Void) {
    answer(completion) { try await enableAPIKey(objectId) }
  }

  /// The form of ``disableAPIKey(_:)`` with a completion.
  public func disableAPIKey(_ objectId: ObjectId, completion: @escaping @Sendable ((any Error)?) -> Void) {
    answer(completion) { try await disableAPIKey(objectId) }
  }
}

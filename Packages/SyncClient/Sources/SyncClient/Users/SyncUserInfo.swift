import AuthClient
import Permissions

/// One user as a server tells of them.
public struct SyncUserInfo: Hashable, Sendable {
  /// The accounts of the user, one for each provider.
  public let accounts: [SyncUserAccountInfo]
  /// The server's name for the user.
  public let identity: String
  /// Texts about the user.
  public let metadata: [String: String]
  /// Whether the user administers the server.
  public let isAdmin: Bool

  init(_ info: AccountInfo) {
    identity = info.user.rawValue
    isAdmin = info.isAdministrator
    metadata = info.metadata
    accounts = info.accounts.map {
      SyncUserAccountInfo(provider: Provider(rawValue: $0.provider), providerUserIdentity: $0.name)
    }
  }
}

/// One account of a user with a provider.
public struct SyncUserAccountInfo: Hashable, Sendable {
  /// The provider.
  public let provider: Provider
  /// The name of the user within the provider.
  public let providerUserIdentity: String
}

extension SyncUser {
  /// Looks up the user with an account, which only administrators may.
  ///
  ///     let info = try await admin.retrieveInfo(forUser: "ann", identityProvider: .usernamePassword)
  ///     print(info.identity)
  ///
  /// - Throws: ``SyncAuthError``: no such user, or no right to ask.
  public func retrieveInfo(
    forUser providerUserIdentity: String, identityProvider provider: Provider
  ) async throws -> SyncUserInfo {
    do {
      return SyncUserInfo(
        try await auth.accountInfo(name: providerUserIdentity, provider: provider.rawValue, by: userId))
    } catch let error as AuthError {
      throw SyncAuthError(error)
    }
  }

  /// The form of ``retrieveInfo(forUser:identityProvider:)`` with a completion, which is called once, on any thread.
  public func retrieveInfo(
    forUser providerUserIdentity: String, identityProvider provider: Provider,
    completion: @escaping @Sendable (SyncUserInfo?, (any Error)?) -> Void
  ) {
    reply(completion) { try await self.retrieveInfo(forUser: providerUserIdentity, identityProvider: provider) }
  }
}

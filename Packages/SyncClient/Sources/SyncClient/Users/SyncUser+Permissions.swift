public import AuthClient
public import Foundation
import Permissions

/// Permissions on whole realms. Calls throw ``SyncAuthError``: without the right, for an unknown user or realm, or when the
/// server cannot be reached.
extension SyncUser {
  /// The users of a realm that this user may read: all who have access, to those who manage it; to others its owner,
  /// themselves, and who is connected.
  ///
  ///     for other in try await user.users(ofRealmAt: url) where other.isConnected { print(other.name ?? other.identity) }
  ///
  /// - Throws: ``SyncAuthError`` without the right to read it, for a URL that names no realm, or when the server cannot be
  ///   reached.
  public func users(ofRealmAt url: URL) async throws -> [RealmUser] {
    let path = try target(for: url).path
    return try await telling { try await auth.users(ofRealm: path, by: userId) }
  }

  /// The permissions of this user: the right to manage each realm of the user's own, what others granted to this user, and
  /// what this user granted to others on own realms. The identity of each says whose it is. What comes through grants to
  /// everyone only is not among them. Two calls to the server.
  ///
  /// - Throws: ``SyncAuthError`` without the right to, for what does not exist, or when the server cannot be reached.
  public func retrievePermissions() async throws -> [SyncPermission] {
    try await telling { try await auth.allPermissions(of: userId) }
  }

  /// Grants or revokes access; needs manage rights.
  ///
  /// - Throws: ``SyncAuthError`` without the right to, for what does not exist, or when the server cannot be reached.
  public func apply(_ permission: SyncPermission) async throws {
    try await telling { try await auth.apply(permission, by: userId) }
  }

  /// Takes all access away from the grantee of a permission, whatever its level.
  ///
  /// - Throws: ``SyncAuthError`` without the right to, for what does not exist, or when the server cannot be reached.
  public func revokePermission(_ permission: SyncPermission) async throws {
    try await apply(
      SyncPermission(
        path: permission.path, accessLevel: .none, identity: permission.identity, key: permission.key,
        value: permission.value, updatedAt: permission.updatedAt))
  }

  /// Makes an offer: a token that gives the access level to every user who accepts it.
  ///
  /// - Parameter expiration: the last moment at which the offer can be accepted; nil for no end.
  /// - Returns: the token, to be sent to whom it is for.
  /// - Throws: ``SyncAuthError`` without the right to, for what does not exist, or when the server cannot be reached.
  public func createOfferForRealm(
    at url: URL, accessLevel: SyncAccessLevel, expiration: Date? = nil
  ) async throws -> String {
    let path = try target(for: url).path
    return try await telling {
      try await auth.createOffer(path: path, level: accessLevel, expiresAt: expiration, by: userId)
    }
  }

  /// Accepts an offer. Access that the user has already is not lessened.
  ///
  /// - Returns: the URL of the realm. With the right to read only, open it asynchronously.
  /// - Throws: ``SyncAuthError`` without the right to, for what does not exist, or when the server cannot be reached.
  public func acceptOffer(forToken token: String) async throws -> URL {
    let path = try await telling { try await auth.acceptOffer(token: token, by: userId) }
    let scheme = auth.server.scheme.isSecure ? "realms" : "realm"
    guard let url = URL(string: "\(scheme)://\(auth.server.authority)\(path)") else {
      throw SyncAuthError(.badResponse, "the offer names no realm", remedy: "ask for a new offer")
    }
    return url
  }

  /// Withdraws an offer. Users who accepted it keep their access.
  ///
  /// - Throws: ``SyncAuthError`` without the right to, for what does not exist, or when the server cannot be reached.
  public func invalidateOffer(forToken token: String) async throws {
    try await telling { try await auth.invalidateOffer(token: token, by: userId) }
  }

  /// The open offers of this user.
  ///
  /// - Throws: ``SyncAuthError`` without the right to, for what does not exist, or when the server cannot be reached.
  public func retrievePermissionOffers() async throws -> [SyncPermissionOffer] {
    try await telling { try await auth.offers(of: userId) }
  }

  /// Changes the user's password. All other logins end.
  ///
  /// - Throws: ``SyncAuthError`` without the right to, for what does not exist, or when the server cannot be reached.
  public func changePassword(_ newPassword: String) async throws {
    try await telling { try await auth.changePassword(to: newPassword, by: userId) }
  }

  /// Changes the password of another user, which only administrators may. All logins of that user end.
  ///
  /// - Throws: ``SyncAuthError`` without the right to, for what does not exist, or when the server cannot be reached.
  public func changePassword(_ newPassword: String, forUserID userID: String) async throws {
    try await telling { try await auth.changePassword(to: newPassword, by: userId, of: UserId(userID)) }
  }

  /// Does work whose errors are told under the documented codes.
  private func telling<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as AuthError {
      throw SyncAuthError(error)
    }
  }
}

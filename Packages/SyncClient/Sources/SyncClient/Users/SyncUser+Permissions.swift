public import AuthClient
public import Foundation
import Permissions

/// Permissions on whole realms. Callbacks are called once, on any thread, with a ``SyncAuthError`` when the call fails.
extension SyncUser {
  /// Gets the permissions that others granted to this user. The callback gets either them or an error.
  public func retrievePermissions(callback: @escaping @Sendable ([SyncPermission]?, (any Error)?) -> Void) {
    reply(callback) { try await self.auth.permissions(of: self.id) }
  }

  /// The users of a realm that this user may read: all who have access, to those who manage it; to others its owner,
  /// themselves, and who is connected.
  ///
  ///     for other in try await user.users(ofRealmAt: url) where other.isConnected { print(other.name ?? other.identity) }
  ///
  /// - Throws: ``SyncAuthError`` without the right to read it, for a URL that names no realm, or when the server cannot be
  ///   reached.
  public func users(ofRealmAt url: URL) async throws -> [RealmUser] {
    do {
      return try await auth.users(ofRealm: try target(for: url).path, by: id)
    } catch let error as AuthError {
      throw SyncAuthError(error)
    }
  }

  /// Grants or revokes access; needs manage rights.
  public func apply(_ permission: SyncPermission, callback: @escaping @Sendable ((any Error)?) -> Void) {
    reply({ _, error in callback(error) }) { try await self.auth.apply(permission, by: self.id) }
  }

  /// Grants or revokes access; needs manage rights.
  ///
  /// - Throws: ``SyncAuthError`` without manage rights, for an unknown user, or when the server cannot be reached.
  public func apply(_ permission: SyncPermission) async throws {
    do {
      try await auth.apply(permission, by: id)
    } catch let error as AuthError {
      throw SyncAuthError(error)
    }
  }

  /// The documented older name of ``apply(_:callback:)``.
  public func applyPermission(_ permission: SyncPermission, callback: @escaping @Sendable ((any Error)?) -> Void) {
    apply(permission, callback: callback)
  }

  /// Makes an offer: a token that gives the access level to every user who accepts it.
  public func createOfferForRealm(
    at url: URL, accessLevel: SyncAccessLevel, expiration: Date? = nil,
    callback: @escaping @Sendable (String?, (any Error)?) -> Void
  ) {
    reply(callback) {
      let path = try self.target(for: url).path
      return try await self.auth.createOffer(path: path, level: accessLevel, expiresAt: expiration, by: self.id)
    }
  }

  /// Accepts an offer. The callback gets the URL of the realm.
  public func acceptOffer(
    forToken token: String, callback: @escaping @Sendable (URL?, (any Error)?) -> Void
  ) {
    reply(callback) {
      let path = try await self.auth.acceptOffer(token: token, by: self.id)
      let scheme = self.auth.server.scheme.isSecure ? "realms" : "realm"
      guard let url = URL(string: "\(scheme)://\(self.auth.server.authority)\(path)") else {
        throw SyncAuthError(.badResponse, "the offer names no realm", remedy: "ask for a new offer")
      }
      return url
    }
  }

  /// Withdraws an offer.
  public func invalidateOffer(forToken token: String, callback: @escaping @Sendable ((any Error)?) -> Void) {
    reply({ _, error in callback(error) }) { try await self.auth.invalidateOffer(token: token, by: self.id) }
  }

  /// Gets the open offers of this user.
  public func retrievePermissionOffers(
    callback: @escaping @Sendable ([SyncPermissionOffer]?, (any Error)?) -> Void
  ) {
    reply(callback) { try await self.auth.offers(of: self.id) }
  }

  /// Changes the user's password. All other logins end.
  public func changePassword(_ newPassword: String, completion: @escaping @Sendable ((any Error)?) -> Void) {
    reply({ _, error in completion(error) }) { try await self.auth.changePassword(to: newPassword, by: self.id) }
  }

  /// Changes the password of another user, which only administrators may. All logins of that user end.
  public func changePassword(
    _ newPassword: String, forUserID userID: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    reply({ _, error in completion(error) }) {
      try await self.auth.changePassword(to: newPassword, by: self.id, of: UserId(userID))
    }
  }

  func reply<Value: Sendable>(
    _ callback: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    Task {
      do {
        callback(try await work(), nil)
      } catch let error as AuthError {
        callback(nil, SyncAuthError(error))
      } catch {
        callback(nil, error)
      }
    }
  }
}

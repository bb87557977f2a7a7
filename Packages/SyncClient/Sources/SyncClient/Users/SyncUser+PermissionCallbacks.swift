import AuthClient
import Foundation
import Permissions

/// The documented forms of the calls about permissions, with callbacks: called once, on any thread, with a ``SyncAuthError``
/// when the call fails.
extension SyncUser {
  /// The form of ``retrievePermissions()`` with a callback, which gets either the permissions or an error.
  public func retrievePermissions(callback: @escaping @Sendable ([SyncPermission]?, (any Error)?) -> Void) {
    reply(callback) { try await self.retrievePermissions() }
  }

  /// The form of ``apply(_:)`` with a callback.
  public func apply(_ permission: SyncPermission, callback: @escaping @Sendable ((any Error)?) -> Void) {
    reply({ _, error in callback(error) }) { try await self.apply(permission) }
  }

  /// The documented older name of ``apply(_:callback:)``.
  public func applyPermission(_ permission: SyncPermission, callback: @escaping @Sendable ((any Error)?) -> Void) {
    apply(permission, callback: callback)
  }

  /// The form of ``revokePermission(_:)`` with a callback.
  public func revokePermission(_ permission: SyncPermission, callback: @escaping @Sendable ((any Error)?) -> Void) {
    reply({ _, error in callback(error) }) { try await self.revokePermission(permission) }
  }

  /// The form of ``createOfferForRealm(at:accessLevel:expiration:)`` with a callback.
  public func createOfferForRealm(
    at url: URL, accessLevel: SyncAccessLevel, expiration: Date? = nil,
    callback: @escaping @Sendable (String?, (any Error)?) -> Void
  ) {
    reply(callback) {
      try await self.createOfferForRealm(at: url, accessLevel: accessLevel, expiration: expiration)
    }
  }

  /// The form of ``acceptOffer(forToken:)`` with a callback.
  public func acceptOffer(
    forToken token: String, callback: @escaping @Sendable (URL?, (any Error)?) -> Void
  ) {
    reply(callback) { try await self.acceptOffer(forToken: token) }
  }

  /// The form of ``invalidateOffer(forToken:)`` with a callback.
  public func invalidateOffer(forToken token: String, callback: @escaping @Sendable ((any Error)?) -> Void) {
    reply({ _, error in callback(error) }) { try await self.invalidateOffer(forToken: token) }
  }

  /// The form of ``retrievePermissionOffers()`` with a callback.
  public func retrievePermissionOffers(
    callback: @escaping @Sendable ([SyncPermissionOffer]?, (any Error)?) -> Void
  ) {
    reply(callback) { try await self.retrievePermissionOffers() }
  }

  /// The form of ``changePassword(_:)`` with a completion.
  public func changePassword(_ newPassword: String, completion: @escaping @Sendable ((any Error)?) -> Void) {
    reply({ _, error in completion(error) }) { try await self.changePassword(newPassword) }
  }

  /// The form of ``changePassword(_:forUserID:)`` with a completion.
  public func changePassword(
    _ newPassword: String, forUserID userID: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    reply({ _, error in completion(error) }) { try await self.changePassword(newPassword, forUserID: userID) }
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

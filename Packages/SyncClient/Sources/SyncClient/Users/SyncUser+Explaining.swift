import AuthClient
public import Foundation
public import Permissions

/// Answers to "why do I not see this object?", for realms that are opened by queries.
extension SyncUser {
  /// Asks the server whether an object is on the devices of a user, and which permission, subscription, link or lag decides.
  ///
  ///     let answer = try await user.explainObject(ofType: "Room", forPrimaryKey: "secret", inRealmAt: url)
  ///     print(answer)
  ///     // there is no Room["secret"] that user 'carol' may read
  ///     // …
  ///
  /// Users who ask about themselves cannot tell an object that they may not read from one that does not exist.
  ///
  /// - Parameters:
  ///   - typeName: the class of the object.
  ///   - key: its primary key; nil for the primary key null.
  ///   - url: the URL of the realm.
  ///   - userID: the name or id of another user, for administrators; nil for this user.
  ///   - device: the number of one client file, see ``SyncExplanation``; nil for all devices of the user.
  /// - Throws: ``SyncAuthError`` for a URL or a key that is none, without the right to ask, or when the server cannot be
  ///   reached.
  public func explainObject(
    ofType typeName: String, forPrimaryKey key: (any CustomStringConvertible & Sendable)?, inRealmAt url: URL,
    forUserID userID: String? = nil, device: UInt64? = nil
  ) async throws -> SyncExplanation {
    do {
      return try await auth.explanation(
        ofObject: typeName, key: key?.description, in: try target(for: url).path, by: userId, for: userID,
        device: device)
    } catch let error as AuthError {
      throw SyncAuthError(error)
    }
  }

  /// The form of ``explainObject(ofType:forPrimaryKey:inRealmAt:forUserID:device:)`` with a callback, which is called once, on
  /// any thread.
  public func explainObject(
    ofType typeName: String, forPrimaryKey key: (any CustomStringConvertible & Sendable)?, inRealmAt url: URL,
    forUserID userID: String? = nil, device: UInt64? = nil,
    callback: @escaping @Sendable (SyncExplanation?, (any Error)?) -> Void
  ) {
    reply(callback) {
      try await self.explainObject(
        ofType: typeName, forPrimaryKey: key, inRealmAt: url, forUserID: userID, device: device)
    }
  }
}

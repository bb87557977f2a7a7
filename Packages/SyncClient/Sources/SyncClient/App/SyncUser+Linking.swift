import AuthClient
import Foundation

extension SyncUser {
  /// Attaches another way to log in to this user, whose id and realms stay: so an anonymous user becomes one with a name.
  ///
  /// - Returns: this user.
  /// - Throws: ``AppError``: credentials of another user, or that the server does not accept.
  @discardableResult
  public func linkUser(credentials: Credentials) async throws -> User {
    _ = try await AppError.mapping { try await auth.link(credentials.proof, to: userId) }
    return self
  }

  /// The form of ``linkUser(credentials:)`` with a completion, which is called once, on a background thread.
  public func linkUser(
    credentials: Credentials, _ completion: @escaping @Sendable (Result<User, any Error>) -> Void
  ) {
    answer(completion) { try await self.linkUser(credentials: credentials) }
  }

  /// Forgets the user on this device and removes the files of the user's realms at the next launch of the program. The
  /// account stays on the server.
  ///
  /// - Throws: ``AppError`` when the file of users cannot be written.
  public func remove() async throws {
    try await AppError.mapping { try await leave(keepingRecord: false, removingFiles: true) }
    login.withLock { $0.isRemoved = true }
  }

  /// The form of ``remove()`` with a completion, which is called once, on a background thread.
  public func remove(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
    answer(completion) { try await self.remove() }
  }

  /// Deletes the account on the server, then the user here as ``remove()`` does. Changes that were not uploaded are lost.
  ///
  /// - Throws: ``AppError``; without an answer of the server the user stays.
  public func delete() async throws {
    let sessions = allSessions
    try await AppError.mapping { try await auth.deleteUser(userId) }
    for session in sessions { session.close() }
    login.withLock { $0.isRemoved = true }
    try AppError.mapping { try manager.leftFiles.add(folder) }
  }

  /// The form of ``delete()`` with a completion, which is called once, on a background thread.
  public func delete(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
    answer(completion) { try await self.delete() }
  }

  /// The form of ``logOut()`` with a completion, which is called once, on a background thread.
  public func logOut(_ completion: @escaping @Sendable ((any Error)?) -> Void) {
    answer(completion) { try await self.logOut() }
  }
}

import Synchronization

/// Stores the users of a device between launches.
public protocol TokenStore: Sendable {
  /// Reads the users, the current one first; empty when there are none yet.
  ///
  /// - Throws: ``AuthError/Code/storage`` when the store cannot be read.
  func load() throws(AuthError) -> [AuthUser]
  /// Replaces all users, durably.
  ///
  /// - Throws: ``AuthError/Code/storage`` when the store cannot be written.
  func save(_ users: [AuthUser]) throws(AuthError)
}

/// Stores users in memory, for as long as the process lives. Safe from any thread.
public final class MemoryTokenStore: TokenStore {
  private let users = Mutex<[AuthUser]>([])

  /// An empty store.
  public init() {}

  /// The users.
  ///
  /// - Throws: nothing.
  public func load() throws(AuthError) -> [AuthUser] { users.withLock { $0 } }
  /// Replaces all users.
  ///
  /// - Throws: nothing.
  public func save(_ users: [AuthUser]) throws(AuthError) { self.users.withLock { $0 = users } }
}

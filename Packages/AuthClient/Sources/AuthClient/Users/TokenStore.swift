import Synchronization

/// Remembers the users of a device between launches.
public protocol TokenStore: Sendable {
  /// The users, the current one first; empty when there are none yet.
  func load() throws(AuthError) -> [AuthUser]
  /// Replaces all users, durably.
  func save(_ users: [AuthUser]) throws(AuthError)
}

/// Forgets everything with the process.
public final class MemoryTokenStore: TokenStore {
  private let users = Mutex<[AuthUser]>([])

  /// An empty store.
  public init() {}

  public func load() throws(AuthError) -> [AuthUser] { users.withLock { $0 } }
  public func save(_ users: [AuthUser]) throws(AuthError) { self.users.withLock { $0 = users } }
}

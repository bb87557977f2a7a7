import AccessTokens
public import Permissions
import Synchronization
public import Telemetry
public import Transport

/// The users of one app on this device, and the calls about them to one server.
///
///     let client = AuthClient(server: try NetworkURL("http://localhost:9080"), network: network,
///                             store: FileTokenStore(path: "/home/ann/.local/state/todo/users.json"))
///     let ann = try await client.logIn(.usernamePassword("ann", "secret", register: .ifMissing))
///     try await client.apply(SyncPermission(realmPath: "/~/todo", username: "ben", accessLevel: .write), by: ann.id)
///
/// Users stay logged in between launches, also offline: ``currentUser`` needs no network. Safe from any thread.
/// All calls throw ``AuthError``.
public final class AuthClient: Sendable {
  /// The address of the server; any scheme, as only host, port and whether TLS is used count.
  public let server: NetworkURL
  /// The name of the app, which separates the users of several apps on one server.
  public let app: String
  /// The time a call may take.
  public let timeout: Duration

  let network: any Network
  private let trust: @Sendable () -> TLSClientConfiguration
  private let store: any TokenStore
  private let users: Mutex<[AuthUser]>

  /// A client with the users in `store`.
  ///
  /// - Parameter trust: the TLS settings; read for every call.
  /// - Throws: ``AuthError/Code/storage`` when the store cannot be read.
  public init(
    server: NetworkURL, app: String = "default", network: any Network, store: any TokenStore = MemoryTokenStore(),
    timeout: Duration = .seconds(30), trust: @escaping @Sendable () -> TLSClientConfiguration = { .init() }
  ) throws(AuthError) {
    self.server = server
    self.app = app
    self.network = network
    self.store = store
    self.timeout = timeout
    self.trust = trust
    users = Mutex(try store.load())
  }

  /// The request of a call, with the TLS settings.
  func request<Answer>(_ call: AuthCall<Answer>, bearer: String?) -> HTTPClientRequest {
    var request = call.request(to: server, bearer: bearer, timeout: timeout)
    request.tls = trust()
    return request
  }

  /// All users logged in on this device, the latest login first.
  public var loggedInUsers: [AuthUser] { users.withLock { $0 } }

  /// The user who logged in last; nil without users.
  public var currentUser: AuthUser? { loggedInUsers.first }

  /// The logged-in user with an id; nil when that user is not logged in. O(users).
  public func user(_ id: UserId) -> AuthUser? { loggedInUsers.first { $0.id == id } }

  /// The logged-in user with an id as the store has them now: another program may share the store, and refresh tokens are
  /// replaced at each use.
  func storedUser(_ id: UserId) throws(AuthError) -> AuthUser? {
    let stored = try store.load()
    users.withLock { $0 = stored }
    return stored.first { $0.id == id }
  }

  /// The calendar clock for the expiry of tokens.
  public var clock: any WallClock { network.scheduler }

  /// Puts a user first, or replaces the user's tokens in place.
  func remember(_ user: AuthUser, asCurrent: Bool) throws(AuthError) {
    try change { users in
      let place = users.firstIndex { $0.id == user.id }
      if let place { users.remove(at: place) }
      users.insert(user, at: asCurrent ? 0 : min(place ?? users.count, users.count))
    }
  }

  /// Removes a user from this device.
  func forget(_ id: UserId) throws(AuthError) {
    try change { users in users.removeAll { $0.id == id } }
  }

  private func change(_ edit: (inout [AuthUser]) -> Void) throws(AuthError) {
    let failure: AuthError? = users.withLock { users in
      do throws(AuthError) {
        // Another program may have stored newer tokens.
        var edited = try store.load()
        edit(&edited)
        try store.save(edited)
        users = edited
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }
}

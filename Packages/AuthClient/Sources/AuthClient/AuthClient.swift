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
  private let state: Mutex<State>

  private struct State: Sendable {
    /// The known users, the latest login first; those who are logged out have no tokens.
    var users: [AuthUser]
    /// Users who have logged out and whose tokens are in use until ``AuthClient/endLogOut(_:)``.
    var leaving: [UserId: AuthUser] = [:]
  }

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
    state = Mutex(State(users: try store.load()))
  }

  /// The request of a call, with the TLS settings.
  func request<Answer>(_ call: AuthCall<Answer>, bearer: String?) -> HTTPClientRequest {
    var request = call.request(to: server, bearer: bearer, timeout: timeout)
    request.tls = trust()
    return request
  }

  /// All users that this device knows, the latest login first: those logged in, and those logged out who were kept.
  public var allUsers: [AuthUser] { state.withLock { $0.users } }

  /// All users logged in on this device, the latest login first.
  public var loggedInUsers: [AuthUser] { allUsers.filter(\.isLoggedIn) }

  /// The user who logged in last; nil without users.
  public var currentUser: AuthUser? { loggedInUsers.first }

  /// The logged-in user with an id; nil when that user is not logged in. O(users).
  public func user(_ id: UserId) -> AuthUser? { allUsers.first { $0.id == id && $0.isLoggedIn } }

  /// The user with an id whose tokens open connections: a logged-in one, or one who has logged out and whose uploads go
  /// on until ``endLogOut(_:)``. O(users).
  public func bearer(_ id: UserId) -> AuthUser? { user(id) ?? state.withLock { $0.leaving[id] } }

  /// Makes a logged-in user the current one. Does nothing for others.
  ///
  /// - Throws: ``AuthError/Code/storage`` when the store cannot be written.
  public func makeCurrent(_ id: UserId) throws(AuthError) {
    if let user = user(id) { try remember(user, asCurrent: true) }
  }

  /// The user that ``bearer(_:)`` gives, as the store has them now: another program may share the store, and refresh tokens are
  /// replaced at each use.
  ///
  /// - Throws: ``AuthError/Code/storage`` when the store cannot be read.
  func presentBearer(_ id: UserId) throws(AuthError) -> AuthUser? {
    let stored = try store.load()
    state.withLock { $0.users = stored }
    return bearer(id)
  }

  /// The calendar clock for the expiry of tokens.
  public var clock: any WallClock { network.scheduler }

  /// Puts a user first, or replaces the user's tokens in place.
  func remember(_ user: AuthUser, asCurrent: Bool) throws(AuthError) {
    try change { state in
      let place = state.users.firstIndex { $0.id == user.id }
      if let place { state.users.remove(at: place) }
      state.users.insert(user, at: asCurrent ? 0 : min(place ?? state.users.count, state.users.count))
    }
  }

  /// Replaces the tokens of whoever ``bearer(_:)`` gives; does nothing when there is none.
  func renew(_ user: AuthUser) throws(AuthError) {
    if self.user(user.id) != nil { return try remember(user, asCurrent: false) }
    state.withLock { state in if state.leaving[user.id] != nil { state.leaving[user.id] = user } }
  }

  /// Logs a user out on this device. The tokens stay usable, in memory, for uploads under way until ``endLogOut(_:)``.
  ///
  /// - Parameter keepsRecord: whether the user stays among ``allUsers``, without tokens.
  /// - Throws: ``AuthError/Code/storage`` when the store cannot be written; the user stays logged in.
  public func beginLogOut(_ id: UserId, keepsRecord: Bool = false) throws(AuthError) {
    try change { state in
      guard let place = state.users.firstIndex(where: { $0.id == id }) else { return }
      if state.users[place].isLoggedIn { state.leaving[id] = state.users[place] }
      if keepsRecord {
        state.users[place].accessToken = nil
        state.users[place].refreshToken = nil
      } else {
        state.users.remove(at: place)
      }
    }
  }

  /// Forgets the tokens of a log-out that has begun.
  ///
  /// - Returns: the user with the tokens; nil when no log-out had begun.
  func takeLeaving(_ id: UserId) -> AuthUser? { state.withLock { $0.leaving.removeValue(forKey: id) } }

  private func change(_ edit: (inout State) -> Void) throws(AuthError) {
    let failure: AuthError? = state.withLock { state in
      do throws(AuthError) {
        // Another program may have stored newer tokens.
        let stored = try store.load()
        var edited = State(users: stored, leaving: state.leaving)
        edit(&edited)
        if edited.users != stored { try store.save(edited.users) }
        state = edited
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }
}

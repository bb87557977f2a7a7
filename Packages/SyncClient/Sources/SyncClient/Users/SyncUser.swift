import AuthClient
import Dispatch
import Foundation
import Permissions
import SyncProtocol
import Synchronization
import Transport

/// A user who is logged in on this device, also between launches and offline.
///
///     let user = try await SyncUser.logIn(
///       with: .usernamePassword(username: "ann", password: "secret"), server: URL(string: "http://localhost:9080")!)
///     let session = try user.session(for: URL(string: "realm://localhost:9080/~/todo")!)
///
/// The same identity on the same server is the same object. Safe from any thread.
public final class SyncUser: Sendable, CustomStringConvertible {
  /// Whether the login holds.
  public enum State: String, Hashable, Sendable {
    /// Logged out on this device.
    case loggedOut
    /// Logged in.
    case active
    /// Logged in here, but refused by the server.
    case error
    /// Removed from this device, or deleted on the server.
    case removed
    /// The newer name of ``active``.
    public static var loggedIn: State { .active }
  }

  /// A completion of a login, called with a user or an error.
  public typealias UserCompletionBlock = @Sendable (SyncUser?, (any Error)?) -> Void

  let userId: UserId
  let auth: AuthClient
  let manager: SyncManager
  let login = Mutex(Login())

  /// The state of the login that is not stored.
  struct Login: Sendable {
    /// Whether the server refused the login.
    var hasEnded = false
    /// Whether the user was removed from this device.
    var isRemoved = false
    var errorHandler: (@Sendable (SyncUser, SyncAuthError) -> Void)?
  }

  /// The server that the user logged in to.
  public let authenticationServer: URL?

  init(id: UserId, auth: AuthClient, server: URL, manager: SyncManager) {
    userId = id
    self.auth = auth
    self.manager = manager
    authenticationServer = server
  }

  /// The server's name for the user, for ever.
  public var identity: String? { userId.rawValue }
  /// The name the user logged in with, if any.
  public var username: String? { auth.user(userId)?.name }
  /// The refresh token, which buys access tokens: a secret. Nil for a user without one.
  public var refreshToken: String? { auth.user(userId)?.refreshToken?.unredacted }
  /// Whether the user administers the server, as of the last token.
  public var isAdmin: Bool { auth.user(userId)?.isAdministrator ?? false }
  /// Whether the login holds.
  public var state: State {
    let (hasEnded, isRemoved) = login.withLock { ($0.hasEnded, $0.isRemoved) }
    guard auth.user(userId) != nil else { return isRemoved ? .removed : .loggedOut }
    return hasEnded ? .error : .active
  }
  /// Identity and state, without secrets.
  public var description: String { "SyncUser \(userId.rawValue) \(state.rawValue)" }

  /// The users logged in on this device, by identity.
  public static var all: [String: SyncUser] {
    Dictionary(
      SyncManager.shared.loggedInUsers().map { ($0.userId.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The user who is logged in on this device; nil without users. More than one logged-in user is an error of the program,
  /// which then takes them from ``all``: it stops, as documented.
  public static var current: SyncUser? {
    let users = SyncManager.shared.loggedInUsers()
    precondition(users.count <= 1, "SyncUser.current: more than one user is logged in; choose one of SyncUser.all")
    return users.first
  }

  // MARK: Logging in and out

  /// Logs a user in and remembers them.
  ///
  /// - Throws: ``SyncAuthError``: wrong credentials, a taken name, a server out of reach, or a URL that is none.
  public static func logIn(
    with credentials: SyncCredentials, server: URL, manager: SyncManager = .shared
  ) async throws -> SyncUser {
    do {
      let auth = try manager.auth(for: server)
      let user = try await auth.logIn(credentials.credentials)
      let known = manager.user(user.id, of: auth, server: server)
      known.loginBegan()
      return known
    } catch let error as AuthError {
      throw SyncAuthError(error)
    } catch let error as TransportError {
      throw SyncAuthError(.invalidParameters, "\(error)", remedy: "use an address such as http://host:9080")
    }
  }

  /// The form of ``logIn(with:server:manager:)`` with a completion, called on `callbackQueue`.
  public static func logIn(
    with credentials: SyncCredentials, server authServerURL: URL, timeout: TimeInterval = 30,
    callbackQueue queue: DispatchQueue = .main, onCompletion completion: @escaping UserCompletionBlock
  ) {
    Task {
      do {
        let user = try await logIn(with: credentials, server: authServerURL)
        queue.async { completion(user, nil) }
      } catch {
        queue.async { completion(nil, error) }
      }
    }
  }

  // MARK: Sessions

  /// The sessions of the user's realms. Older code calls it: `user.allSessions()`.
  public var allSessions: SyncSessions {
    let sessions = (try? manager.client().sessions) ?? []
    return SyncSessions(sessions: sessions.filter { $0.target.user == userKey })
  }

  /// The session of an open realm, whatever its proof of identity and prefix; nil when it is not open.
  public func session(for url: URL) -> SyncSession? {
    guard let target = try? target(for: url) else { return nil }
    return allSessions.first {
      $0.target.path == target.path && $0.target.server.authority == target.server.authority
    }
  }

  var userKey: String { "\(auth.server.authority)/\(userId.rawValue)" }

  var tokens: AuthTokenSource {
    get throws { AuthTokenSource(auth: auth, user: userId, scheduler: try manager.world().network.scheduler) }
  }

  /// The target of a realm URL: `~` stands for the user; nil is the server's default realm.
  ///
  /// - Throws: ``SyncAuthError`` with ``SyncAuthError/Code/badRemoteRealmPath`` for a URL that names no realm.
  func target(
    for url: URL?, urlPrefix: String? = nil, policy: ServerValidationPolicy = .system, flavour: SyncFlavour = .full
  ) throws -> SyncTarget {
    let address = try NetworkURL(Self.address(url, auth.server))
    let resolved = try path(of: url)
    let server = NetworkURL(
      scheme: address.scheme.isSecure ? .wss : .ws, host: address.host, port: address.port,
      target: urlPrefix ?? servicePath(of: resolved, flavour))
    return SyncTarget(server: server, path: resolved, user: userKey, flavour: flavour, trust: try policy.trust())
  }

  private static func address(_ url: URL?, _ server: NetworkURL) -> String {
    url?.absoluteString ?? "\(server.scheme.rawValue)://\(server.authority)/default"
  }

  /// The path that a realm URL names: `~` stands for the user; nil is the server's default realm.
  ///
  /// - Throws: ``SyncAuthError`` with ``SyncAuthError/Code/badRemoteRealmPath`` for a URL that names no realm.
  func path(of url: URL?) throws -> String {
    let text = Self.address(url, auth.server)
    let address = try NetworkURL(text)
    guard let path = PercentCoding.decoded(address.target.prefix { $0 != "?" }), path.count > 1, path.hasPrefix("/")
    else {
      throw SyncAuthError(
        .badRemoteRealmPath, "\(text) names no realm", remedy: "use a URL such as realm://host:9080/~/todo")
    }
    for ending in RealmPath.reservedSuffixes where path.hasSuffix(ending) {
      throw SyncAuthError(
        .badRemoteRealmPath, "a realm URL may not end in \(ending)",
        remedy: "use a URL such as realm://host:9080/~/todo")
    }
    return path.hasPrefix("/~/") ? "/\(userId.rawValue)/" + path.dropFirst(3) : path
  }
}

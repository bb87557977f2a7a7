import AuthClient
import Foundation
import ObjectStore
import Synchronization
import Telemetry
import Transport
import TransportReal

/// The users, sessions and settings of this process.
///
///     SyncManager.shared.errorHandler = { error, session in print(error) }
///
/// Safe from any thread. Handlers are called on the client's loop and must return quickly.
public final class SyncManager: Sendable {
  /// A handler of the errors of all sessions.
  public typealias ErrorReportingBlock = @Sendable (any Error, SyncSession?) -> Void

  /// The manager on the real network, with its files in the default directory. Starts a loop when first needed.
  public static let shared = SyncManager()

  private struct State {
    var environment: SyncEnvironment?
    var client: SyncClient?
    var auths: [String: AuthClient] = [:]
    var users: [String: SyncUser] = [:]
    var errorHandler: ErrorReportingBlock?
    var settings = SyncManagerSettings()
    var rootDirectory: URL
    /// The network that the application chose; nil for the real one.
    var network: (any Network)?
    var leftFiles: LeftFiles?
  }
  private let state: Mutex<State>
  private let root: Logger
  let log: SyncLog
  /// The id of the app whose users these are; nil for those of `SyncUser.logIn`.
  let app: String?

  /// A manager with users, sessions and connections of its own; for tests and for several managers in one process.
  ///
  /// - Parameters:
  ///   - rootDirectory: the folder of users and synced realms; nil for the default.
  ///   - environment: network, executor and clocks; nil for the real ones, made at first use.
  public convenience init(rootDirectory: URL? = nil, environment: SyncEnvironment? = nil) {
    self.init(rootDirectory: rootDirectory, environment: environment, realmLogger: { RealmLogger.shared })
  }

  init(
    app: String? = nil, rootDirectory: URL?, environment: SyncEnvironment? = nil, network: (any Network)? = nil,
    realmLogger: @escaping @Sendable () -> RealmLogger? = { RealmLogger.shared }
  ) {
    state = Mutex(
      State(environment: environment, rootDirectory: rootDirectory ?? Self.defaultDirectory, network: network))
    self.app = app
    let log = SyncLog(realmLogger)
    self.log = log
    root = Logger(category: "sync", threshold: LogThreshold(following: log.realmLevel), sink: log)
  }

  /// `$REALM_HOME`, else `$XDG_DATA_HOME/<process>`, else `~/.local/share/<process>`.
  static var defaultDirectory: URL {
    let environment = ProcessInfo.processInfo.environment
    if let home = environment["REALM_HOME"], !home.isEmpty { return URL(fileURLWithPath: home, isDirectory: true) }
    let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory() + "/.local/share"
    return URL(fileURLWithPath: data, isDirectory: true)
      .appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
  }

  /// The folder of users and synced realms. To be set before the first use.
  public var rootDirectory: URL {
    get { state.withLock { $0.rootDirectory } }
    set { state.withLock { $0.rootDirectory = newValue } }
  }

  /// The least important line that is logged; `.off` for applications that own the screen. Unless set, the level of
  /// `Logger.shared`. Lines hold no tokens and no passwords.
  public var logLevel: LogLevel {
    get { root.threshold.level }
    set { root.threshold.level = newValue }
  }

  /// The settings that connections and sessions take over when they begin.
  var settings: SyncManagerSettings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// The handler of the errors of all sessions, called on the client's loop.
  public var errorHandler: ErrorReportingBlock? {
    get { state.withLock { $0.errorHandler } }
    set { state.withLock { $0.errorHandler = newValue } }
  }

  /// The client that keeps the sessions.
  ///
  /// - Throws: `TransportError` when the system has no descriptors or threads left for a loop.
  public func client() throws -> SyncClient {
    if let client = state.withLock({ $0.client }) { return client }
    let environment = try world()
    let client = SyncClient(environment)
    let (chosen, isOurs) = state.withLock { state in
      if let known = state.client { return (known, false) }
      state.client = client
      return (client, true)
    }
    if isOurs { chosen.errorHandler = { [weak self] error, session in self?.heard(error, of: session) } }
    return chosen
  }

  private func heard(_ error: SyncError, of session: SyncSession) {
    errorHandler?(error, session)
    guard error.code == .underlyingAuthError, error.isFatal else { return }
    session.parentUser()?.loginEnded(error)
  }

  /// Network, executor and clocks, made at first use.
  ///
  /// - Throws: `TransportError` when the system has no descriptors or threads left for a loop.
  func world() throws -> SyncEnvironment {
    try state.withLock { state in
      if let environment = state.environment { return environment }
      var environment = SyncEnvironment(
        network: try state.network
          ?? RealNetwork(loop: try EventLoop(name: "realm-sync"), proxies: state.settings.effectiveProxies),
        logger: root, timing: state.settings.timing,
        networkChanges: state.network == nil ? NetlinkMonitor() : nil)
      environment.decorate = { [weak self] target in self?.settings.decorated(target) ?? target }
      state.environment = environment
      return environment
    }
  }

  /// The users of one server on this device.
  ///
  /// - Throws: `TransportError` for a URL that is none; `AuthError` when the file of users cannot be read.
  func auth(for server: URL) throws -> AuthClient {
    let url = try NetworkURL(server.absoluteString)
    let key = "\(url.scheme.isSecure ? "https" : "http")://\(url.host):\(url.port)"
    if let auth = state.withLock({ $0.auths[key] }) { return auth }
    let path = usersDirectory.appendingPathComponent(PercentCoding.encoded(key) + ".users.json").path
    let settings = settings
    let auth = try AuthClient(
      server: try NetworkURL(key), app: app ?? "default", network: try world().network,
      store: FileTokenStore(path: path, sealingKey: settings.usersEncryptionKey.map { Array($0) }),
      timeout: settings.requestTimeout,
      trust: { [weak self] in self?.settings.pinnedTrust(of: url.host) ?? TLSClientConfiguration() })
    let chosen = state.withLock { state in
      if let known = state.auths[key] { return known }
      state.auths[key] = auth
      return auth
    }
    removeLeftFiles()
    return chosen
  }

  /// The folders of users who have logged out.
  var leftFiles: LeftFiles {
    let list = usersDirectory.appendingPathComponent("removals.json")
    return state.withLock { state in
      if let known = state.leftFiles { return known }
      let files = LeftFiles(list: list)
      state.leftFiles = files
      return files
    }
  }

  /// Removes the files of users who logged out in earlier launches, at the first use of this manager.
  private func removeLeftFiles() {
    let marked = leftFiles.takeMarked()
    // Users that cannot be read may be logged in: their files stay until a later launch.
    guard !marked.isEmpty, let users = try? readLoggedInUsers() else { return }
    let inUse = Set(users.map(\.folder.path))
    leftFiles.remove(marked.filter { !inUse.contains($0.path) })
  }

  private var usersDirectory: URL { rootDirectory.appendingPathComponent("users", isDirectory: true) }

  /// The object of a user; the same one for the same identity on the same server.
  func user(_ id: AuthUser.ID, of auth: AuthClient, server: URL) -> SyncUser {
    state.withLock { state in
      let key = "\(auth.server.host):\(auth.server.port)/\(id.rawValue)"
      if let user = state.users[key] { return user }
      let user = SyncUser(id: id, auth: auth, server: server, manager: self)
      state.users[key] = user
      return user
    }
  }

  /// Every user who is logged in on this device, whatever the server, the latest login of each server first.
  func loggedInUsers() -> [SyncUser] { (try? readLoggedInUsers()) ?? [] }

  private func readLoggedInUsers() throws -> [SyncUser] {
    let files = try FileManager.default.contentsOfDirectory(atPath: usersDirectory.path)
    return try files.sorted().flatMap { name -> [SyncUser] in
      guard name.hasSuffix(".users.json"), let text = PercentCoding.decoded(name.dropLast(".users.json".count)),
        let server = URL(string: text)
      else { return [] }
      let auth = try auth(for: server)
      return auth.loggedInUsers.map { user($0.id, of: auth, server: server) }
    }
  }
}

public import Foundation
public import SyncClient
public import Telemetry

extension Notifier {
  /// A notifier of the realms of a server that runs in another process, or on another machine, which does nothing yet.
  ///
  ///     let admin = try await SyncUser.logIn(with: .usernamePassword(username: "realm-admin", password: secret), server: url)
  ///     let notifier = try Notifier(server: url, adminUser: admin, NotifierConfiguration(workingDirectory: folder, handlers: […]))
  ///
  /// Handlers are called as those in the server's process are. Several processes with the same handlers share the work: a realm is
  /// one's until it is done with what there is; what a process that lost it does afterwards is refused.
  ///
  /// - Parameters:
  ///   - server: an address of the user's server; any scheme.
  ///   - adminUser: an administrator.
  /// - Throws: ``EventError`` with code `server` for a user of another server, and `workingDirectory`.
  public convenience init(
    server: URL, adminUser: SyncUser, _ configuration: NotifierConfiguration, logger: Logger = .disabled,
    metrics: MetricsRegistry = MetricsRegistry(), clock: any WallClock = SystemWallClock()
  ) throws {
    guard adminUser.isOnServer(server) else {
      throw EventError(
        .server, "the user is not one of \(server.absoluteString)", remedy: "log an administrator of that server in")
    }
    self.init(try RemoteOrigin(adminUser, in: configuration.workingDirectory), configuration, logger, metrics, clock)
  }

  /// Calls a closure after the transactions on the realms of a server whose paths match a pattern; from any process.
  ///
  ///     let notifier = try await Notifier.addListener(
  ///       server: url, adminUser: admin, pattern: "^/([^/]+)/private$", name: "coupons", workingDirectory: folder
  ///     ) { details in
  ///       print(details.path, details.changes["Coupon"]?.insertions.count ?? 0)
  ///     }
  ///
  /// - Parameters:
  ///   - name: names the listener's positions; one that is new begins with what comes.
  ///   - workingDirectory: the folder of its own files.
  /// - Throws: ``EventError`` for a text that is no pattern and a user of another server, and as ``start()``.
  public static func addListener(
    server: URL, adminUser: SyncUser, pattern: String, name: String = "listener", workingDirectory: String,
    logger: Logger = .disabled, _ handle: @escaping @Sendable (ChangeDetails) async throws -> Void
  ) async throws -> Notifier {
    let handler = ClosureHandler(name: name, pattern: try PathPattern(pattern), handle: handle)
    let notifier = try Notifier(
      server: server, adminUser: adminUser,
      NotifierConfiguration(workingDirectory: workingDirectory, handlers: [handler]), logger: logger)
    try await notifier.start()
    return notifier
  }
}

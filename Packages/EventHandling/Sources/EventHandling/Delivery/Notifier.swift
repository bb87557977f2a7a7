import Concurrency
import Foundation
public import ObjectServer
import Permissions
public import Telemetry

/// Calls handlers after the transactions on a server's realms: in the process of the server and on its files, or in another one.
///
///     let notifier = Notifier(server, NotifierConfiguration(workingDirectory: "/var/lib/events", handlers: [CouponHandler()]))
///     try await notifier.start()
///     …
///     await notifier.stop()             // before the server stops
///
/// A handler is called at least once for each transaction after its first start: in order within a realm, side by side for
/// different realms. Its position in a realm lies in the realm's file, so it goes on where it was, whatever stopped the
/// process. A realm costs nothing until it has a transaction. Safe to use from any thread.
public final class Notifier: Sendable {
  private let origin: any EventOrigin
  private let configuration: NotifierConfiguration
  private let dispatcher: EventDispatcher

  /// A notifier of the realms of a server in this process, which does nothing yet.
  public convenience init(
    _ server: ObjectServer, _ configuration: NotifierConfiguration, logger: Logger = .disabled,
    metrics: MetricsRegistry = MetricsRegistry(), clock: any WallClock = SystemWallClock()
  ) {
    self.init(EmbeddedOrigin(server), configuration, logger, metrics, clock)
  }

  init(
    _ origin: any EventOrigin, _ configuration: NotifierConfiguration, _ logger: Logger, _ metrics: MetricsRegistry,
    _ clock: any WallClock
  ) {
    self.origin = origin
    self.configuration = configuration
    dispatcher = EventDispatcher(origin, configuration, logger, metrics, clock)
  }

  /// Begins to deliver, once: a notifier that was stopped does not start again. A handler of an unknown name begins with what comes
  /// after its start in the realms that there are, and with the first transaction in those that are made later. A handler whose pattern matches no realm is reported in the log.
  ///
  /// - Throws: ``EventError`` for handlers whose names are none, and for a working directory that cannot be used.
  /// - Complexity: for a handler of an unknown name O(*n*) in the realms that match, each of which is opened once.
  public func start() async throws {
    try Self.check(configuration.handlers.map(\.name))
    let (dispatcher, handlers) = (dispatcher, configuration.handlers)
    try await dispatcher.prepare()
    do {
      let paths = try await origin.begin(
        matching: { path in handlers.contains { $0.shouldHandle(path: path.description) } },
        wake: { paths in Task { await dispatcher.wake(paths) } })
      try await dispatcher.begin(paths)
    } catch {
      await stop()
      throw error
    }
  }

  /// Ends: handlers that run come to their end, none is called any more.
  public func stop() async {
    origin.pause()
    await dispatcher.stop()
    await origin.end()
  }

  /// The realms that handlers fail on, by handler and path.
  public func quarantined() async -> [QuarantinedRealm] { await dispatcher.quarantined() }

  /// Takes a realm out of quarantine: its handler is called again.
  ///
  /// - Parameter skipping: whether the transaction that the handler failed on is passed over.
  /// - Returns: whether it was in quarantine.
  @discardableResult
  public func release(_ path: String, handler: String, skipping: Bool = false) async -> Bool {
    await dispatcher.release(path, handler: handler, skipping: skipping)
  }

  /// The handlers whose patterns matched no realm when the notifier started, or since.
  public func handlersWithoutRealms() async -> [String] { await dispatcher.handlersWithoutRealms() }

  private static func check(_ names: [String]) throws {
    guard Set(names).count == names.count else {
      throw EventError(.badName, "two handlers have one name", remedy: "name them differently")
    }
    for name in names where name.isEmpty || name.utf8.count > 100 {
      throw EventError(.badName, "'\(name)' cannot be a handler's name", remedy: "choose one of 1 to 100 bytes")
    }
  }
}

/// A realm that a handler fails on: it is not called for it until the realm is released or the notifier starts anew. Its history
/// is kept within the handler's budget.
public struct QuarantinedRealm: Hashable, Sendable {
  /// The path of the realm.
  public let path: String
  /// The name of the handler.
  public let handler: String
  /// The last failure in words.
  public let reason: String
}

extension ObjectServer {
  /// Calls a closure after the transactions on the realms whose paths match a pattern; see ``Notifier``.
  ///
  ///     let notifier = try await server.addListener("^/.*/private$", name: "audit", workingDirectory: folder) { details in
  ///       print(details.path, details.changes.keys)
  ///     }
  ///
  /// - Throws: ``EventError`` for a text that is no pattern, and as ``Notifier/start()``.
  public func addListener(
    _ pattern: String, name: String, workingDirectory: String, logger: Logger = .disabled,
    _ handle: @escaping @Sendable (ChangeDetails) async throws -> Void
  ) async throws -> Notifier {
    let handler = ClosureHandler(name: name, pattern: try PathPattern(pattern), handle: handle)
    let notifier = Notifier(
      self, NotifierConfiguration(workingDirectory: workingDirectory, handlers: [handler]), logger: logger)
    try await notifier.start()
    return notifier
  }
}

/// A handler that is a closure.
struct ClosureHandler: NotificationHandler {
  let name: String
  let pattern: PathPattern
  let handle: @Sendable (ChangeDetails) async throws -> Void

  func shouldHandle(path: String) -> Bool { pattern.matches(path) }
  func handleChange(_ details: ChangeDetails) async throws { try await handle(details) }
}

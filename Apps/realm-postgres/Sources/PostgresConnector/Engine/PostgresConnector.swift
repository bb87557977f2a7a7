import Foundation
public import ObjectServer
import PostgresClient
import Synchronization
public import Telemetry

/// Keeps the realms of a server and the tables of a PostgreSQL database the same, both ways.
///
///     let connector = PostgresConnector(server, configuration, logger: logger)
///     let work = Task { try await connector.run() }
///     …
///     connector.stop()
///     try await work.value
///
/// A change of either side is carried to the other exactly once, across crashes of each: the position in the realm is written with
/// the rows, in the same transaction of the database; the position in the database's log with the objects, in the same transaction of
/// the realm. Both sides merge as two devices do: field by field, the later change wins; where both changed one row, it is made equal
/// afterwards. A database that cannot be reached pauses the connector and loses nothing. What cannot be carried over is kept in
/// `openrealm.dead_letters` with the reason. Safe to use from any thread.
public final class PostgresConnector: Sendable {
  /// The work that was done, for tests and the log.
  public struct Progress: Hashable, Sendable {
    /// Rows written to tables.
    public var rows = 0
    /// Transactions written to realms.
    public var transactions = 0
    /// Rows of either side that did not fit.
    public var deadLetters = 0
    /// Rows that were written again because both sides had changed them.
    public var conflicts = 0
    /// Bytes of log that the slot held back when it was last looked at.
    public var slotBytes = 0
    /// Whether the first load is over.
    public var isLive = false
  }

  private let server: ObjectServer
  private let configuration: ConnectorConfiguration
  private let logger: Logger
  private let metrics: MetricsRegistry
  private let isStopping = Atomic<Bool>(false)
  private let state = Mutex(Progress())
  private let wake = WakeSignal()

  /// A connector that does nothing yet.
  public init(
    _ server: ObjectServer, _ configuration: ConnectorConfiguration, logger: Logger = .disabled,
    metrics: MetricsRegistry = MetricsRegistry()
  ) {
    self.server = server
    self.configuration = configuration
    self.logger = logger
    self.metrics = metrics
  }

  /// The work that was done since the start.
  public var progress: Progress { state.withLock { $0 } }

  /// Works until ``stop()``.
  ///
  /// - Throws: ``ConfigurationError`` when tables and classes do not fit each other; ``ConnectorError``; `PostgresError` for a
  ///   failure that does not pass, such as a missing right.
  public func run() async throws {
    try await Task(executorPreference: ConnectorThread()) { try await self.work() }.value
  }

  private func work() async throws {
    var failures = 0
    var settings = configuration
    while !isStopping.load(ordering: .acquiring) {
      let began = ContinuousClock.now
      do {
        let engine = try ConnectorEngine(
          server, settings, logger: logger, metrics: metrics, wake: wake,
          progress: { [self] change in state.withLock { change(&$0) } },
          isStopping: { [self] in isStopping.load(ordering: .acquiring) })
        // The slot is made anew once for each start, and not after each pause.
        engine.whenPrepared = { settings.resetsSlot = false }
        try await engine.run()
      } catch let error as PostgresError where error.isConnectionLost || error.isPassing {
        if ContinuousClock.now - began > .seconds(60) { failures = 0 }
        failures += 1
        let delay = Duration.milliseconds(min(30_000, 100 << min(failures, 9)))
        logger.warn(
          "the database cannot be used; the connector waits and goes on where it was",
          ["reason": .string(error.message), "milliseconds": LogValue(delay / .milliseconds(1))])
        let end = ContinuousClock.now + delay
        while ContinuousClock.now < end, !isStopping.load(ordering: .acquiring) {
          try await Task.sleep(for: .milliseconds(20))
        }
      } catch is StoppedError {}
    }
  }

  /// Ends ``run()`` after the transaction that is under way.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    wake.wake()
  }
}

/// The connector was stopped in the middle of a load, which goes on at the next start.
struct StoppedError: Error {}

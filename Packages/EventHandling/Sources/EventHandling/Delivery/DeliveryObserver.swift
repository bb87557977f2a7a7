import ChangesetOT
import RecordStore
import Telemetry

/// The metrics and the log of one handler.
final class DeliveryObserver: Sendable {
  private let delivered, failed, skipped, gaps: Counter
  private let lag: Histogram
  let quarantined: Gauge
  private let logger: Logger
  private let clock: any WallClock

  init(_ handler: String, _ metrics: MetricsRegistry, _ logger: Logger, clock: any WallClock) {
    let labels: MetricLabels = ["handler": handler]
    delivered = metrics.counter(
      "openrealm_events_delivered_total", help: "Transactions that event handlers dealt with", labels: labels)
    failed = metrics.counter(
      "openrealm_events_failed_total", help: "Calls of event handlers that failed", labels: labels)
    skipped = metrics.counter(
      "openrealm_events_own_total", help: "Transactions of event handlers themselves", labels: labels)
    gaps = metrics.counter(
      "openrealm_events_gaps_total", help: "Times that an event handler had fallen behind its budget", labels: labels)
    lag = metrics.histogram(
      "openrealm_event_lag_seconds", help: "Time from a transaction to the end of its handling",
      labels: labels)
    quarantined = metrics.gauge(
      "openrealm_event_realms_quarantined", help: "Realms that an event handler fails on", labels: labels)
    self.logger = logger
    self.clock = clock
  }

  func skippedOwn() { skipped.increment() }

  func caughtUp(over gap: FeedGap) {
    gaps.increment()
    logger.warn(
      "an event handler has fallen behind; it is told the difference to the present state at once",
      ["cursor": .string(gap.cursor), "reason": .string("\(gap.reason)")])
  }

  func failedAfterWriting(_ error: any Error, _ id: ChangeDetails.ID) {
    logger.warn(
      "an event handler failed after its write was durable; the transaction counts as handled",
      ["event": .string(id.description), "reason": .string("\(error)")])
  }

  /// Runs a call of the handler.
  ///
  /// - Parameter timestamp: the time of the transaction; nil when it is not known.
  func measuring(_ timestamp: OriginTimestamp?, _ call: () async throws -> Void) async throws {
    do { try await call() } catch {
      failed.increment()
      throw error
    }
    delivered.increment()
    if let timestamp {
      let now = clock.wallTime.millisecondsSince1970
      lag.observe(max(0, Double(now) - Double(timestamp.unixMilliseconds)) / 1_000)
    }
  }
}

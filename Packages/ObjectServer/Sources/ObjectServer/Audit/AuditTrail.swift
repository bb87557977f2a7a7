import Concurrency
import Synchronization
import Telemetry

/// Notes events in the audit log without blocking the loop, and bounds what strangers can make it write.
final class AuditTrail: Sendable {
  /// The refusals of unproven peers, and the mutations of users, that are noted per second on average; ten times as many at once.
  /// Others are counted, and an entry `audit.suppressed` tells their number.
  static let entriesPerSecond = 20.0

  /// The parties whose events share a rate.
  enum Source: Sendable {
    /// Administrators, and whatever happens seldom: everything is noted.
    case administrators
    /// Users who write as they like.
    case users
    /// Peers of whom nothing is proven.
    case strangers
  }

  private struct Rate {
    var room = entriesPerSecond * 10
    var last: MonotonicInstant?
    var suppressed = 0
  }

  private struct State {
    var users = Rate()
    var strangers = Rate()
  }

  let log: AuditLog
  private let context: LoopContext
  private let logger: Logger
  private let state = Mutex(State())

  init(log: AuditLog, context: LoopContext, logger: Logger) {
    self.log = log
    self.context = context
    self.logger = logger
  }

  /// Notes an event, then calls `completion` on the loop: whoever is answered there finds the entry in the log.
  ///
  /// - Parameter source: whose rate it counts in; refusals without an actor are those of strangers.
  func note(
    _ event: AuditLog.Event, from source: Source = .administrators,
    then completion: @escaping @Sendable () -> Void = {}
  ) {
    let source = event.actor.isEmpty && event.outcome != "ok" ? .strangers : source
    guard let suppressed = admit(source) else { return context.scheduler.executeNowOrSoon(completion) }
    let (log, logger, what) = (log, logger, source == .users ? "mutations" : "refusals")
    context.perform(.audit) { () throws(Never) -> Bool in
      if suppressed > 0 {
        log.note(AuditLog.Event("audit.suppressed", details: [.init(what, String(suppressed))]))
      }
      return log.note(event)
    } then: { result in
      if case .success(false) = result { logger.error("the audit log cannot be written") }
      completion()
    }
  }

  /// - Returns: the number of events that were suppressed before, for one that is noted; nil for one that is not.
  private func admit(_ source: Source) -> Int? {
    let now = context.scheduler.now
    return state.withLock { state in
      switch source {
      case .administrators: 0
      case .users: Self.admit(&state.users, at: now)
      case .strangers: Self.admit(&state.strangers, at: now)
      }
    }
  }

  private static func admit(_ rate: inout Rate, at now: MonotonicInstant) -> Int? {
    let waited = rate.last.map { Double((now - $0).clampedNanoseconds) / 1e9 } ?? 0
    rate.last = now
    rate.room = min(entriesPerSecond * 10, rate.room + waited * entriesPerSecond)
    guard rate.room >= 1 else {
      rate.suppressed += 1
      return nil
    }
    rate.room -= 1
    defer { rate.suppressed = 0 }
    return rate.suppressed
  }

  /// Flushes the log to the disk every second, while the server runs.
  func scheduleSync(while isRunning: @escaping @Sendable () -> Bool) {
    context.scheduler.schedule(after: .seconds(1)) { [self] in
      guard isRunning() else { return }
      let log = log
      context.perform(.audit) { () throws(Never) in
        log.sync()
      } then: { [self] (_: Result<Void, Never>) in
        scheduleSync(while: isRunning)
      }
    }
  }
}

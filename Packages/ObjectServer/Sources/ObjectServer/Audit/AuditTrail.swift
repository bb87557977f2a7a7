import Concurrency
import Synchronization
import Telemetry

/// Notes events in the audit log without blocking the loop, and bounds what strangers can make it write.
final class AuditTrail: Sendable {
  /// The refusals of unproven peers that are noted per second, on average; ten times as many at once. Others are counted, and an
  /// entry `audit.suppressed` tells their number.
  static let refusalsPerSecond = 20.0

  private struct State {
    var room = refusalsPerSecond * 10
    var last: MonotonicInstant?
    var suppressed = 0
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
  func note(_ event: AuditLog.Event, then completion: @escaping @Sendable () -> Void = {}) {
    let isStranger = event.actor.isEmpty && event.outcome != "ok"
    guard let suppressed = isStranger ? admit() : 0 else { return context.scheduler.executeNowOrSoon(completion) }
    let (log, logger) = (log, logger)
    context.perform(.audit) { () throws(Never) -> Bool in
      if suppressed > 0 {
        log.note(AuditLog.Event("audit.suppressed", details: [.init("refusals", String(suppressed))]))
      }
      return log.note(event)
    } then: { result in
      if case .success(false) = result { logger.error("the audit log cannot be written") }
      completion()
    }
  }

  /// - Returns: the number of refusals that were suppressed before, for one that is noted; nil for one that is not.
  private func admit() -> Int? {
    let now = context.scheduler.now
    return state.withLock { state in
      let waited = state.last.map { Double((now - $0).clampedNanoseconds) / 1e9 } ?? 0
      state.last = now
      state.room = min(Self.refusalsPerSecond * 10, state.room + waited * Self.refusalsPerSecond)
      guard state.room >= 1 else {
        state.suppressed += 1
        return nil
      }
      state.room -= 1
      defer { state.suppressed = 0 }
      return state.suppressed
    }
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

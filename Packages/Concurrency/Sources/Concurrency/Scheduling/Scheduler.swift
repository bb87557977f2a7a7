public import Telemetry

/// An event loop: one thread of work with a clock, and the executor of the actors that live on it.
///
/// The callbacks of a loop never run at the same time, so state that only they touch needs no lock. An actor lives on
/// a loop like this, and is entered without a hop:
///
/// ```text
/// actor Session {
///   nonisolated let scheduler: any Scheduler
///   nonisolated var unownedExecutor: UnownedSerialExecutor { scheduler.asUnownedSerialExecutor() }
///   nonisolated func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
///     assumeIsolated { $0.handle(message) }    // already on the loop: no suspension, no allocation
///   }
/// }
/// ```
///
/// - Guarantee: work runs one piece at a time; pieces submitted by one thread run in the order of submission.
///   In the simulation everything is ordered by (virtual time, sequence).
/// - Important: Work on a loop must not block; blocking work belongs on a ``BlockingExecutor``.
public protocol Scheduler: AnyObject, MonotonicClock, WallClock, SerialExecutor {
  /// Runs `work` on the loop soon, never before this call returns. From any thread.
  func execute(_ work: @escaping @Sendable () -> Void)

  /// Runs `work` on the loop when `delay` has passed. A delay of zero or less means as soon as possible. From any thread.
  ///
  /// - Returns: the handle that cancels it. Dropping the handle cancels nothing.
  @discardableResult
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancellable

  /// Whether the caller is on the loop.
  var isOnLoop: Bool { get }
}

extension Scheduler {
  /// Runs `work` at once when the caller is on the loop, and soon otherwise. From any thread.
  public func executeNowOrSoon(_ work: @escaping @Sendable () -> Void) {
    if isOnLoop { work() } else { execute(work) }
  }
}

import Telemetry

/// A loop: one thread of work with a clock, and the executor of the actors that live on it.
///
/// Everything that `Transport` reports is reported on the loop of the ``Network`` it came from, so the code above
/// needs no locks among its callbacks. An actor lives on a loop like this, and is entered without a hop:
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
/// - Guarantee: work runs one piece at a time; pieces handed over from one thread run in the order of handing over.
///   In the simulation everything is ordered by (virtual time, sequence).
public protocol Scheduler: AnyObject, MonotonicClock, WallClock, SerialExecutor {
  /// Runs `work` on the loop, soon, never before this call returns. From any thread.
  func execute(_ work: @escaping @Sendable () -> Void)

  /// Runs `work` on the loop when `delay` has passed. A delay of zero or less means as soon as possible. From any thread.
  ///
  /// - Returns: the means to call it off. Dropping it does not call anything off.
  @discardableResult
  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancellable

  /// Whether the caller is on the loop.
  var isOnLoop: Bool { get }
}

extension Scheduler {
  /// Runs `work` at once when already on the loop, and soon otherwise.
  public func executeNowOrSoon(_ work: @escaping @Sendable () -> Void) {
    if isOnLoop { work() } else { execute(work) }
  }
}

/// Something under way that can be called off.
public protocol Cancellable: AnyObject, Sendable {
  /// Calls it off, from any thread; does nothing when it already happened. When called on the loop, the work or the
  /// completion does not run afterwards.
  func cancel()
}

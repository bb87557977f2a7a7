import Concurrency
import Synchronization
import Telemetry
import Transport

/// A loop in virtual time: nothing happens until a test runs it, and then always in the same order.
///
///     let loop = SimulatedLoop()
///     loop.schedule(after: .seconds(5)) { print("five seconds later, at once") }
///     loop.run(for: .seconds(10))
///
/// Events are ordered by (virtual time, sequence number). Work handed over while running comes after all earlier
/// work for the same instant. Actors that name this loop as their executor run on it as well; a task
/// that also runs on the global pool is outside of the order, and a seed does not repeat it.
///
/// One thread runs the loop. Any thread may hand work over.
public final class SimulatedLoop: Scheduler {
  private struct State {
    var queue = EventQueue()
    var now: MonotonicInstant
    var wallOffsetInMilliseconds: Int64
    var nextSequence: UInt64 = 0
    var isRunning = false
    var runner: UInt = 0
    var executed: UInt64 = 0
  }
  private let state: Mutex<State>

  /// A loop at virtual time zero.
  ///
  /// - Parameter wallTime: the calendar time at that instant, by default 1 January 2026.
  public init(wallTime: WallTime = WallTime(millisecondsSince1970: 1_767_225_600_000)) {
    state = Mutex(State(now: .zero, wallOffsetInMilliseconds: wallTime.millisecondsSince1970))
  }

  /// The virtual time.
  public var now: MonotonicInstant { state.withLock { $0.now } }

  /// The calendar time at the current virtual time.
  public var wallTime: WallTime {
    state.withLock { state in
      WallTime(millisecondsSince1970: state.wallOffsetInMilliseconds) + (state.now - .zero)
    }
  }

  /// Moves the calendar time, as an operator who sets the clock would; virtual time is unchanged.
  public func jumpWallTime(by duration: Duration) {
    state.withLock { $0.wallOffsetInMilliseconds += duration.components.seconds * 1_000 }
  }

  /// Whether the caller is running the loop.
  public var isOnLoop: Bool {
    state.withLock { $0.isRunning && $0.runner == ThreadIdent.current }
  }

  /// The pieces of work done since the beginning.
  public var executedCount: UInt64 { state.withLock { $0.executed } }

  /// The pieces of work that wait, cancelled ones included.
  public var pendingCount: Int { state.withLock { $0.queue.count } }

  /// Runs `work` at the current virtual time, after all earlier work for it. From any thread.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    add(after: .zero, .closure(work), token: nil)
  }

  /// Runs `work` after a delay of virtual time. From any thread.
  @discardableResult
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancellable {
    let token = SimulatedTimer()
    add(after: delay, .closure(work), token: token)
    return token
  }

  /// Runs a job of an actor at the current virtual time.
  public func enqueue(_ job: consuming ExecutorJob) {
    add(after: .zero, .job(UnownedJob(job)), token: nil)
  }

  /// The loop as the executor of actors.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Stops the program unless the caller is running the loop.
  public func checkIsolated() { precondition(isOnLoop, "this code runs on its loop only") }

  /// Whether the caller is running the loop.
  public func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  /// Runs all work that is due within `duration` from now, and moves the time to its end.
  ///
  /// - Returns: the number of pieces of work that ran.
  @discardableResult
  public func run(for duration: Duration) -> Int { run(until: now + duration) }

  /// Runs all work that is due up to `deadline`, and moves the time there.
  ///
  /// - Returns: the number of pieces of work that ran.
  @discardableResult
  public func run(until deadline: MonotonicInstant) -> Int {
    let count = drain(until: deadline, limit: .max) { false }
    state.withLock { $0.now = max($0.now, deadline) }
    return count
  }

  /// Runs until nothing waits, `isDone` holds, or `limit` of virtual time has passed; stops at once when it holds.
  ///
  /// - Returns: whether it ended because nothing waits or `isDone` holds.
  @discardableResult
  public func runUntilIdle(limit: Duration = .seconds(3_600), or isDone: () -> Bool = { false }) -> Bool {
    let deadline = now + limit
    drain(until: deadline, limit: .max, isDone)
    if isDone() { return true }
    return state.withLock { $0.queue.isEmpty }
  }

  /// Runs the next piece of work, moving the time to it.
  ///
  /// - Returns: false when nothing waits.
  @discardableResult
  public func step() -> Bool {
    drain(until: MonotonicInstant(nanoseconds: .max), limit: 1) { false } == 1
  }

  /// Drops all waiting work. Not from inside the loop.
  public func removeAll() {
    let dropped = state.withLock { state in
      defer { state.queue = EventQueue() }
      return state.queue
    }
    // Released outside of the lock: deinitialisers of captured objects may hand over more work.
    _ = dropped
  }

  @discardableResult
  private func drain(until deadline: MonotonicInstant, limit: Int, _ isDone: () -> Bool) -> Int {
    state.withLock { state in
      precondition(!state.isRunning, "a simulated loop is not run from inside itself")
      state.isRunning = true
      state.runner = ThreadIdent.current
    }
    defer { state.withLock { $0.isRunning = false } }
    var count = 0
    while count < limit, !isDone(), let event = next(until: deadline) {
      count += 1
      switch event.work {
      case .closure(let work): work()
      case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
    return count
  }

  private func next(until deadline: MonotonicInstant) -> EventQueue.Event? {
    state.withLock { state in
      while let event = state.queue.peek(), event.instant <= deadline {
        state.queue.removeFirst()
        if let token = event.token, !token.take() { continue }
        state.now = max(state.now, event.instant)
        state.executed += 1
        return event
      }
      return nil
    }
  }

  private func add(after delay: Duration, _ work: EventQueue.Work, token: SimulatedTimer?) {
    state.withLock { state in
      let instant = state.now + max(delay, .zero)
      state.queue.insert(.init(instant: instant, sequence: state.nextSequence, work: work, token: token))
      state.nextSequence += 1
    }
  }
}

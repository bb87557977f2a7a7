import CLibUV
import Concurrency
import Glibc
import Synchronization
import Telemetry
import Transport

// @unchecked Sendable: after the initialiser `uvLoop`, `wakeUp`, `beforeSleep`, `readBuffer`, `hasOwnWork` and `isClosing`
// are used by the loop's thread only, but for uv_async_send, which libuv allows from any thread while the handle is open;
// `inbox` guards that.
/// A libuv loop on a thread of its own: timers, sockets, and an executor of actors.
///
///     let loop = try EventLoop(name: "sync")
///     loop.schedule(after: .milliseconds(10)) { print("on the loop") }
///     loop.shutDown()
///
/// The thread runs, and retains the loop, until ``shutDown()``. Afterwards no further work runs, jobs of actors included,
/// so the loop is shut down last. A process may end while its loops run, by `exit` or by returning from `main`: they stop
/// without a call to any handler.
public final class EventLoop: Scheduler, @unchecked Sendable {
  private enum Work {
    case closure(@Sendable () -> Void)
    case job(UnownedJob)
  }

  private struct Inbox {
    var work: [Work] = []
    var isOpen = true
    var isAwake = false
  }

  let uvLoop: UnsafeMutablePointer<uv_loop_t>
  let readBuffer: UnsafeMutableRawBufferPointer
  /// Whether all handles are being closed; no new handle is opened then.
  private(set) var isClosing = false
  private let wakeUp: UnsafeMutablePointer<uv_async_t>
  /// Called before the loop polls its sockets: work handed over on the loop itself needs no wake-up.
  private let beforeSleep: UnsafeMutablePointer<uv_prepare_t>
  private var hasOwnWork = false
  private let inbox = Mutex(Inbox())
  private let thread = Atomic<UInt>(0)
  private let finished = Latch()
  private let isParking = Atomic<Bool>(false)
  private let clock = SystemMonotonicClock()
  private let wallClock = SystemWallClock()

  /// The most pieces of work done between two polls of the sockets.
  private static let batch = 1_024

  /// Starts a loop on a new thread.
  ///
  /// - Parameter name: the thread's name, at most 15 bytes count.
  /// - Throws: ``TransportError/Code/system`` when the system has no descriptors or threads left.
  public init(name: String = "event-loop") throws(TransportError) {
    signal(SIGPIPE, SIG_IGN)
    uvLoop = .allocate(capacity: 1)
    wakeUp = .allocate(capacity: 1)
    beforeSleep = .allocate(capacity: 1)
    readBuffer = .allocate(byteCount: 64 << 10, alignment: 16)
    var code = uv_loop_init(uvLoop)
    guard code == 0 else {
      throw SystemError.make(code, doing: "start an event loop")
    }
    code = uv_async_init(uvLoop, wakeUp) { handle in
      guard let data = handle?.pointee.data else { return }
      Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue().runWork()
    }
    guard code == 0 else { throw SystemError.make(code, doing: "start an event loop") }
    // Unmanaged: the loop's thread retains the loop while it runs, and both handles are called there.
    wakeUp.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    uv_prepare_init(uvLoop, beforeSleep)
    beforeSleep.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    uv_prepare_start(beforeSleep) { handle in
      guard let data = handle?.pointee.data else { return }
      Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue().runOwnWork()
    }
    RunningLoops.add(self)
    var handle = pthread_t()
    code = -pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue().runThread()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard code == 0 else {
      Unmanaged.passUnretained(self).release()
      RunningLoops.remove(self)
      throw SystemError.make(code, doing: "start a thread")
    }
    openrealm_name_thread(handle, String(name.prefix(15)))
    pthread_detach(handle)
  }

  deinit {
    // Reached only when the thread has ended, or never started.
    readBuffer.deallocate()
    wakeUp.deallocate()
    beforeSleep.deallocate()
    uvLoop.deallocate()
  }

  // MARK: Scheduler

  /// The machine's monotonic time.
  public var now: MonotonicInstant { clock.now }
  /// The machine's calendar time.
  public var wallTime: WallTime { wallClock.wallTime }
  /// Whether the caller runs on the loop's thread.
  public var isOnLoop: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Runs `work` on the loop, soon. From any thread; without effect after ``shutDown()``.
  public func execute(_ work: @escaping @Sendable () -> Void) { hand(over: .closure(work)) }

  /// Runs `work` on the loop after a delay, never early. From any thread; without effect after ``shutDown()``.
  @discardableResult
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancellable {
    let timer = LoopTimer(loop: self, work: work)
    let deadline = now + delay
    executeNowOrSoon { timer.start(at: deadline) }
    return timer
  }

  /// Runs a job of an actor on the loop.
  public func enqueue(_ job: consuming ExecutorJob) { hand(over: .job(UnownedJob(job))) }

  /// The loop as the executor of actors.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Stops the program unless the caller is on the loop.
  public func checkIsolated() { precondition(isOnLoop, "this code runs on its event loop only") }

  /// Whether the caller is on the loop.
  public func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  // MARK: End

  /// Ends the loop: closes all open handles, reports ``TransportError/Code/shutDown`` to their handlers, and returns when
  /// the thread has ended. Listeners and connections are closed before, if peers matter. A second call, or one on the loop
  /// itself, does not wait.
  public func shutDown() {
    let wasOpen = inbox.withLock { inbox in
      defer { inbox.isOpen = false }
      if inbox.isOpen { uv_async_send(wakeUp) }
      return inbox.isOpen
    }
    if wasOpen && !isOnLoop { finished.wait() }
  }

  // MARK: The process ends

  /// Asks the loop's thread to stop for ever after the current piece of work. From any thread.
  func beginParking() {
    isParking.store(true, ordering: .relaxed)
    inbox.withLock { _ = $0.isOpen ? uv_async_send(wakeUp) : 0 }
  }

  /// Returns when the thread has stopped or ended, or at the deadline.
  func waitUntilParked(_ deadline: ContinuousClock.Instant) { finished.wait(until: deadline) }

  private func park() -> Never {
    finished.open()
    while true { sleep(3_600) }
  }

  // MARK: Thread

  private func hand(over work: Work) {
    inbox.withLock { inbox in
      guard inbox.isOpen else { return }
      inbox.work.append(work)
      guard !inbox.isAwake else { return }
      if isOnLoop { return hasOwnWork = true }
      inbox.isAwake = true
      uv_async_send(wakeUp)
    }
  }

  private func runThread() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    uv_run(uvLoop, UV_RUN_DEFAULT)
    uv_loop_close(uvLoop)
    thread.store(0, ordering: .relaxed)
    RunningLoops.remove(self)
    finished.open()
  }

  private func runOwnWork() {
    guard hasOwnWork else { return }
    hasOwnWork = false
    runWork()
  }

  private func runWork() {
    let executor = asUnownedSerialExecutor()
    var remaining = Self.batch
    while remaining > 0 {
      let (work, isOpen) = inbox.withLock { inbox in
        let work = inbox.work
        inbox.work = []
        if work.isEmpty { inbox.isAwake = false }
        return (work, inbox.isOpen)
      }
      if work.isEmpty {
        if isParking.load(ordering: .relaxed) { park() }
        if !isOpen { closeEverything() }
        return
      }
      for piece in work {
        if isParking.load(ordering: .relaxed) { park() }
        switch piece {
        case .closure(let body): body()
        case .job(let job): job.runSynchronously(on: executor)
        }
      }
      remaining -= work.count
    }
    // The sockets are polled before the rest of the work.
    inbox.withLock { _ = $0.isOpen ? uv_async_send(wakeUp) : 0 }
    if !inbox.withLock({ $0.isOpen }) { closeEverything() }
  }

  /// Closes all handles. The data of a handle is the loop (`wakeUp` and `beforeSleep`) or a retained ``LoopHandle``.
  private func closeEverything() {
    isClosing = true
    uv_walk(
      uvLoop,
      { handle, _ in
        guard let handle, uv_is_closing(handle) == 0 else { return }
        guard handle.pointee.type != UV_ASYNC, handle.pointee.type != UV_PREPARE else { return uv_close(handle, nil) }
        guard let data = handle.pointee.data else { return uv_close(handle, nil) }
        Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue().loopIsShuttingDown()
      }, nil)
  }
}

import CLibUV
import Concurrency
import Glibc
import Synchronization
import Telemetry
import Transport

/// A libuv loop on a thread of its own: timers, sockets, and the executor of the actors that live on it.
///
///     let loop = try EventLoop(name: "sync")
///     loop.schedule(after: .milliseconds(10)) { print("on the loop") }
///     loop.shutDown()
///
/// The thread lives until ``shutDown()``, and keeps the loop alive. Afterwards nothing handed over runs any more; that
/// goes for the jobs of actors as well, so shut down last. A process may end while its loops run, by `exit` or by
/// returning from `main`: they stop where they are, and handlers hear nothing of it.
// @unchecked Sendable: `uvLoop`, `wakeUp`, `beforeSleep`, `readBuffer`, `hasOwnWork` and `isClosing` are used by the loop's thread
// only after the initialiser, except for uv_async_send, which libuv allows from any thread while the handle is open; `inbox` guards that.
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
  /// Set on the loop's thread when everything is being closed; nothing new is opened then.
  private(set) var isClosing = false
  private let wakeUp: UnsafeMutablePointer<uv_async_t>
  /// Called before the loop looks at its sockets: work that it handed to itself needs no wake-up.
  private let beforeSleep: UnsafeMutablePointer<uv_prepare_t>
  private var hasOwnWork = false
  private let inbox = Mutex(Inbox())
  private let thread = Atomic<UInt>(0)
  private let finished = Latch()
  private let isParking = Atomic<Bool>(false)
  private let clock = SystemMonotonicClock()
  private let wallClock = SystemWallClock()

  /// The most pieces of work done before sockets are looked at again.
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
    wakeUp.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    uv_prepare_init(uvLoop, beforeSleep)
    beforeSleep.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    uv_prepare_start(beforeSleep) { handle in
      guard let data = handle?.pointee.data else { return }
      Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue().runOwnWork()
    }
    LivingLoops.add(self)
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
      LivingLoops.remove(self)
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

  public var now: MonotonicInstant { clock.now }
  public var wallTime: WallTime { wallClock.wallTime }
  public var isOnLoop: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  public func execute(_ work: @escaping @Sendable () -> Void) { hand(over: .closure(work)) }

  @discardableResult
  public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancellable {
    let timer = LoopTimer(loop: self, work: work)
    let deadline = now + delay
    executeNowOrSoon { timer.start(at: deadline) }
    return timer
  }

  public func enqueue(_ job: consuming ExecutorJob) { hand(over: .job(UnownedJob(job))) }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  public func checkIsolated() { precondition(isOnLoop, "this code runs on its event loop only") }

  public func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  // MARK: End

  /// Ends the loop: cuts whatever is open on it, tells handlers so with ``TransportError/Code/shutDown``, and returns when
  /// its thread is done. Shut listeners down and close connections before, if peers matter. Called again, or on the loop itself, it does not wait.
  public func shutDown() {
    let wasOpen = inbox.withLock { inbox in
      defer { inbox.isOpen = false }
      if inbox.isOpen { uv_async_send(wakeUp) }
      return inbox.isOpen
    }
    if wasOpen && !isOnLoop { finished.wait() }
  }

  // MARK: The process ends

  /// Asks the loop's thread to stop for ever, once it is done with what it is at. From any thread.
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
    LivingLoops.remove(self)
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
    // Sockets come next; the rest of the work after them.
    inbox.withLock { _ = $0.isOpen ? uv_async_send(wakeUp) : 0 }
    if !inbox.withLock({ $0.isOpen }) { closeEverything() }
  }

  /// Every handle's data is either the loop (the wake-up and what comes before sleep) or a retained ``LoopHandle``.
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

import CLibUV
import Concurrency
import Synchronization
import Telemetry
import Transport

// @unchecked Sendable: as LoopHandle; `isSpent` is atomic, and `work` belongs to the caller that sets it.
/// One piece of work at one instant, on a libuv timer.
final class LoopTimer: LoopHandle, Cancellable, @unchecked Sendable {
  private let isSpent = Atomic<Bool>(false)
  private var work: (@Sendable () -> Void)?

  init(loop: EventLoop, work: @escaping @Sendable () -> Void) {
    self.work = work
    super.init(loop: loop)
  }

  /// On the loop.
  func start(at deadline: MonotonicInstant) {
    guard !isSpent.load(ordering: .relaxed) else { return work = nil }
    let (handle, _) = open(uv_timer_t.self) { uv_timer_init(loop.uvLoop, $0) }
    guard let handle else { return }
    uv_update_time(loop.uvLoop)
    let remaining = max((deadline - loop.now).clampedNanoseconds, 0)
    // Rounded up: never early.
    let milliseconds = UInt64(remaining / 1_000_000) + (remaining % 1_000_000 > 0 ? 1 : 0)
    uv_timer_start(
      handle,
      { handle in
        // Unmanaged: a `LoopHandle` is retained by its handle in C until that is closed.
        guard let data = handle?.pointee.data else { return }
        Unmanaged<LoopTimer>.fromOpaque(data).takeUnretainedValue().fire()
      }, milliseconds, 0)
  }

  private func fire() {
    closeHandle()
    guard !isSpent.exchange(true, ordering: .relaxed), let work else { return }
    self.work = nil
    work()
  }

  override func loopIsShuttingDown() {
    isSpent.store(true, ordering: .relaxed)
    work = nil
    closeHandle()
  }

  func cancel() {
    guard !isSpent.exchange(true, ordering: .relaxed) else { return }
    loop.executeNowOrSoon {
      self.work = nil
      self.closeHandle()
    }
  }
}

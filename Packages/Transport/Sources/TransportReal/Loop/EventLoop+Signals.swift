import CLibUV
import Concurrency
import Glibc
import Transport

extension EventLoop {
  /// Runs `handler` on the loop whenever one of `signals` arrives, in place of the system's default action.
  ///
  ///     let watch = loop.onSignals([SIGTERM, SIGINT]) { signal in server.stop() }
  ///
  /// - Returns: cancelling restores the system's default action.
  public func onSignals(
    _ signals: [Int32], _ handler: @escaping @Sendable (Int32) -> Void
  ) -> any Cancellable {
    let watch = SignalWatch(loop: self, handler: handler)
    executeNowOrSoon { watch.start(signals) }
    return watch
  }

  /// Runs `handler` once on the loop at the first SIGTERM or SIGINT. A second one ends the process as usual.
  public func onTermination(_ handler: @escaping @Sendable () -> Void) {
    let watch = SignalWatch(loop: self) { _ in handler() }
    watch.isOnce = true
    executeNowOrSoon { watch.start([SIGTERM, SIGINT]) }
  }
}

// @unchecked Sendable: its variables are touched on the loop's thread only; `isOnce` is set before it gets there.
/// Several signal handles with one handler.
final class SignalWatch: Cancellable, @unchecked Sendable {
  fileprivate var isOnce = false
  private let loop: EventLoop
  private let handler: @Sendable (Int32) -> Void
  private var handles: [SignalHandle] = []

  init(loop: EventLoop, handler: @escaping @Sendable (Int32) -> Void) {
    self.loop = loop
    self.handler = handler
  }

  func start(_ signals: [Int32]) {
    handles = signals.map { number in
      let handle = SignalHandle(loop: loop) { self.arrived($0) }
      handle.start(number)
      return handle
    }
  }

  private func arrived(_ number: Int32) {
    if isOnce { stop() }
    handler(number)
  }

  private func stop() {
    for handle in handles { handle.stop() }
    handles = []
  }

  func cancel() { loop.executeNowOrSoon { self.stop() } }
}

// @unchecked Sendable: as LoopHandle.
/// One libuv signal handle.
private final class SignalHandle: LoopHandle, @unchecked Sendable {
  private var handler: ((Int32) -> Void)?

  init(loop: EventLoop, handler: @escaping (Int32) -> Void) {
    self.handler = handler
    super.init(loop: loop)
  }

  func start(_ number: Int32) {
    let (handle, _) = open(uv_signal_t.self) { uv_signal_init(loop.uvLoop, $0) }
    guard let handle else { return }
    uv_signal_start(
      handle,
      { handle, number in
        // Unmanaged: a `LoopHandle` is retained by its handle in C until that is closed.
        guard let data = handle?.pointee.data else { return }
        Unmanaged<SignalHandle>.fromOpaque(data).takeUnretainedValue().handler?(number)
      }, number)
  }

  override func loopIsShuttingDown() { stop() }

  func stop() {
    handler = nil
    closeHandle()
  }
}

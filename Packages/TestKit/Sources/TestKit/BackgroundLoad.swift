import Foundation
import Synchronization

/// A thread that repeats some work while a test observes something that must not depend on it.
///
///     let load = BackgroundLoad { _ = try? open(somethingElse) }
///     defer { load.stop() }
public final class BackgroundLoad: Sendable {
  private let isStopping = Atomic<Bool>(false)
  private let stopped = DispatchSemaphore(value: 0)

  /// Starts a thread that calls `work` until ``stop()``.
  public init(_ work: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      while !self.isStopping.load(ordering: .relaxed) { work() }
      self.stopped.signal()
    }
  }

  /// Ends the work, and returns when its last call has returned. Called once.
  public func stop() {
    isStopping.store(true, ordering: .relaxed)
    stopped.wait()
  }
}

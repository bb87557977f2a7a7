import Concurrency
import Glibc
import Synchronization
import Transport

/// Whether a piece of scheduled work waits, was called off, or has begun.
final class SimulatedTimer: Cancellable {
  private let isSpent = Atomic<Bool>(false)

  init() {}

  func cancel() { isSpent.store(true, ordering: .relaxed) }

  /// Begins the work: true once, and only when it was not called off.
  func take() -> Bool { !isSpent.exchange(true, ordering: .relaxed) }
}

/// Tells threads apart.
enum ThreadIdent {
  static var current: UInt { UInt(pthread_self()) }
}

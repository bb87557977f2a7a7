import Concurrency
import Glibc
import Synchronization
import Transport

/// The cancellation of one piece of scheduled work.
final class SimulatedTimer: Cancellable {
  private let isSpent = Atomic<Bool>(false)

  init() {}

  func cancel() { isSpent.store(true, ordering: .relaxed) }

  /// Begins the work: true once, and only without a cancellation.
  func take() -> Bool { !isSpent.exchange(true, ordering: .relaxed) }
}

/// The identity of a thread.
enum ThreadIdent {
  static var current: UInt { UInt(pthread_self()) }
}

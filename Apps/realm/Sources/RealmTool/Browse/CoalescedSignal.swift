import Synchronization

/// Tells of the first of several changes; of the next one only after ``lower()``. Safe from any thread.
final class CoalescedSignal: Sendable {
  private let isRaised = Atomic<Bool>(false)
  private let tell: @Sendable () -> Void

  init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

  func raise() {
    if !isRaised.exchange(true, ordering: .acquiringAndReleasing) { tell() }
  }

  func lower() { isRaised.store(false, ordering: .releasing) }
}

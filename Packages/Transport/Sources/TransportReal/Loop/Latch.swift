import Glibc

// @unchecked Sendable: a POSIX semaphore is made for use from several threads.
/// A latch that one thread opens and others wait for.
final class Latch: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func open() { sem_post(semaphore) }

  func wait() {
    while sem_wait(semaphore) != 0 && errno == EINTR {}
    sem_post(semaphore)
  }

  /// Waits until the latch is open, or until the deadline, polling it every millisecond.
  func wait(until deadline: ContinuousClock.Instant) {
    while sem_trywait(semaphore) != 0 {
      guard ContinuousClock.now < deadline else { return }
      usleep(1_000)
    }
    sem_post(semaphore)
  }
}

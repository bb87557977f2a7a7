import Glibc

/// Lets one thread wait for another, once.
final class Latch: @unchecked Sendable {
  // @unchecked Sendable: a POSIX semaphore is made for use from several threads.
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

  /// Waits until it is open, or until the deadline; does not look at it more often than once a millisecond.
  func wait(until deadline: ContinuousClock.Instant) {
    while sem_trywait(semaphore) != 0 {
      guard ContinuousClock.now < deadline else { return }
      usleep(1_000)
    }
    sem_post(semaphore)
  }
}

import Foundation

// @unchecked Sendable: the flag is read and written under the mutex.
/// The word to stop for a thread that has something to do from time to time.
///
/// The thread waits by the monotonic clock. On Linux `DispatchSemaphore` and `NSCondition` wait for a time of the wall clock: when that is
/// set back by five minutes, they wait for five minutes more.
final class StopSignal: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isGiven = false

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Gives the word, and wakes the thread. It is never taken back.
  func give() {
    pthread_mutex_lock(mutex)
    isGiven = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the word is given, or the time has passed.
  ///
  /// - Returns: whether it was given.
  func isGiven(within time: Duration) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = end.tv_nsec + Int(max(.zero, time) / .nanoseconds(1))
    end.tv_sec += nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isGiven {
      guard pthread_cond_timedwait(condition, mutex, &end) == 0 else { break }
    }
    return isGiven
  }
}

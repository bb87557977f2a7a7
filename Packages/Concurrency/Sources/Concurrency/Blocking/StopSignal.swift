import Foundation

// @unchecked Sendable: the flag is read and written under the mutex.
/// The word to stop for work that may end early, and for a thread that has something to do from time to time. From any thread.
///
///     while !stop.isSet(within: .seconds(1)) { renew() }       // woken at once when it is set
///
/// Waiting is by the monotonic clock. On Linux `DispatchSemaphore` and `NSCondition` wait for a time of the wall clock: when that is
/// set back by five minutes, they wait for five minutes more.
public final class StopSignal: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var flag = false

  /// A signal that is not set.
  public init() {
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

  /// Whether it is set.
  public var isSet: Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return flag
  }

  /// Sets it, and wakes who waits. It stays set.
  public func set() {
    pthread_mutex_lock(mutex)
    flag = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until it is set, or the time has passed. Blocks.
  ///
  /// - Returns: whether it is set.
  public func isSet(within time: Duration) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = end.tv_nsec + Int(max(.zero, time) / .nanoseconds(1))
    end.tv_sec += nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !flag {
      guard pthread_cond_timedwait(condition, mutex, &end) == 0 else { break }
    }
    return flag
  }
}

import Dispatch
import Synchronization

/// A FIFO mutex between the writer threads of a process. ``unlock()`` passes ownership to the first waiter, so no thread
/// overtakes.
///
///     word   0   unlocked, no waiters
///            1   locked, no waiters                between 0 and 1 by one exchange, nothing else
///            2   locked, with waiters              from and to 2 under the mutex of the queue
///
/// Actors must not block: they register with ``whenFree(_:)`` and retry.
final class WriterLock: Sendable {
  private final class Waiter: Sendable { let isOwner = DispatchSemaphore(value: 0) }

  private struct Queue {
    var waiters: [Waiter] = []
    var listeners: [@Sendable () -> Void] = []
    var isEmpty: Bool { waiters.isEmpty && listeners.isEmpty }
  }

  private let word = Atomic<Int>(0)
  private let queue = Mutex(Queue())

  /// Whether a thread owns the lock.
  var isLocked: Bool { word.load(ordering: .relaxed) != 0 }

  /// Threads that wait for the lock.
  var waiterCount: Int { queue.withLock { $0.waiters.count } }

  /// Waits for the lock, behind earlier waiters.
  ///
  /// - Returns: false when the lock was not free within the timeout; otherwise the caller calls ``unlock()``.
  func lock(within timeout: DispatchTimeInterval) -> Bool {
    if word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { return true }
    let waiter = Waiter()
    guard enqueue(whenFree: 1, { $0.waiters.append(waiter) }) else { return true }
    guard waiter.isOwner.wait(timeout: .now() + timeout) == .success || !dequeue(waiter) else { return false }
    // Orders the work of earlier owners before this thread, for tools that do not see it in the semaphore.
    _ = word.load(ordering: .acquiring)
    return true
  }

  /// Calls `handler` once, on any thread, when the lock is free and no thread waits for it; at once if that is so now.
  func whenFree(_ handler: @escaping @Sendable () -> Void) {
    if !enqueue(whenFree: 0, { $0.listeners.append(handler) }) { handler() }
  }

  /// Passes the lock to the first waiter, or frees it and calls the listeners.
  func unlock() {
    if word.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged { return }
    let listeners = queue.withLock { queue in
      guard let next = queue.waiters.first else {
        defer { queue.listeners = [] }
        word.store(0, ordering: .releasing)
        return queue.listeners
      }
      queue.waiters.removeFirst()
      word.store(queue.isEmpty ? 1 : 2, ordering: .releasing)
      next.isOwner.signal()
      return []
    }
    for listener in listeners { listener() }
  }

  /// Appends to the queue, unless the lock is free.
  ///
  /// - Parameter word: the new value of the word when the lock is free.
  /// - Returns: whether `append` was called.
  private func enqueue(whenFree word: Int, _ append: (inout Queue) -> Void) -> Bool {
    queue.withLock { queue in
      while true {
        if self.word.compareExchange(expected: 0, desired: word, ordering: .acquiring).exchanged { return false }
        // From 2 on, `unlock` takes the mutex of the queue.
        let (isSet, found) = self.word.compareExchange(expected: 1, desired: 2, ordering: .relaxed)
        guard isSet || found == 2 else { continue }
        append(&queue)
        return true
      }
    }
  }

  /// Removes a waiter whose time ran out.
  ///
  /// - Returns: false when the waiter had become the owner meanwhile.
  private func dequeue(_ waiter: Waiter) -> Bool {
    queue.withLock { queue in
      guard let index = queue.waiters.firstIndex(where: { $0 === waiter }) else { return false }
      queue.waiters.remove(at: index)
      if queue.isEmpty { word.store(1, ordering: .relaxed) }
      return true
    }
  }
}

import Synchronization

/// Calls a closure after a number of events, at once when the number is zero. From any thread; never blocks.
final class CountdownLatch: Sendable {
  private let remaining: Mutex<Int>
  private let completion: @Sendable () -> Void

  init(_ number: Int, _ completion: @escaping @Sendable () -> Void) {
    remaining = Mutex(number)
    self.completion = completion
    if number == 0 { completion() }
  }

  /// Counts one event; the last one calls the closure.
  func countDown() {
    let isDone = remaining.withLock { remaining in
      remaining -= 1
      return remaining == 0
    }
    if isDone { completion() }
  }
}

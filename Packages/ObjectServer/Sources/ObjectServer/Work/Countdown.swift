import Synchronization

/// Calls a closure when something has happened a number of times; at once when the number is zero.
final class Countdown: Sendable {
  private let left: Mutex<Int>
  private let completion: @Sendable () -> Void

  init(_ number: Int, _ completion: @escaping @Sendable () -> Void) {
    left = Mutex(number)
    self.completion = completion
    if number == 0 { completion() }
  }

  func count() {
    let isDone = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isDone { completion() }
  }
}

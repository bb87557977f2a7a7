import Foundation

/// Runs `body` on that many threads at once, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let ended = DispatchGroup()
  for number in 0..<count {
    ended.enter()
    Thread.detachNewThread {
      body(number)
      ended.leave()
    }
  }
  ended.wait()
}

import Dispatch
import Synchronization

/// The turn to write among the threads of a process: one at a time, in the order in which they came.
///
///     word   0   nobody has the turn, and nobody waits
///            1   somebody has it                             between 0 and 1 by one exchange, nothing else
///            2   somebody has it, and others wait            from and to 2 with the line locked
///
/// Who gives the turn back hands it to the thread at the head of the line, so that nobody overtakes. Who cannot stand still
/// for it, as an actor, is told when it is free, and looks then.
final class WriterTurn: Sendable {
  private final class Waiter: Sendable { let called = DispatchSemaphore(value: 0) }

  private struct Line {
    var threads: [Waiter] = []
    var listeners: [@Sendable () -> Void] = []
    var isEmpty: Bool { threads.isEmpty && listeners.isEmpty }
  }

  private let word = Atomic<Int>(0)
  private let line = Mutex(Line())

  /// Whether somebody has the turn.
  var isTaken: Bool { word.load(ordering: .relaxed) != 0 }

  /// Threads that stand in line.
  var waiting: Int { line.withLock { $0.threads.count } }

  /// Waits for the turn.
  ///
  /// - Returns: whether it came in time; who got it gives it back.
  func take(within timeout: DispatchTimeInterval) -> Bool {
    if word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { return true }
    let waiter = Waiter()
    guard enlist(whenFree: 1, { $0.threads.append(waiter) }) else { return true }
    guard waiter.called.wait(timeout: .now() + timeout) == .success || !leave(waiter) else { return false }
    // What those before did has happened, for whoever does not know that the semaphore says so.
    _ = word.load(ordering: .acquiring)
    return true
  }

  /// Calls `handler` once, on any thread, when nobody has the turn and no thread stands in line; at once if that is so.
  func tellWhenFree(_ handler: @escaping @Sendable () -> Void) {
    if !enlist(whenFree: 0, { $0.listeners.append(handler) }) { handler() }
  }

  /// Gives the turn to the next thread.
  func give() {
    if word.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged { return }
    let told = line.withLock { line in
      guard let next = line.threads.first else {
        defer { line.listeners = [] }
        word.store(0, ordering: .releasing)
        return line.listeners
      }
      line.threads.removeFirst()
      word.store(line.isEmpty ? 1 : 2, ordering: .releasing)
      next.called.signal()
      return []
    }
    for handler in told { handler() }
  }

  /// Joins the line, unless the turn is free.
  ///
  /// - Parameter word: what the word becomes when the turn is free.
  /// - Returns: whether the line was joined.
  private func enlist(whenFree word: Int, _ join: (inout Line) -> Void) -> Bool {
    line.withLock { line in
      while true {
        if self.word.compareExchange(expected: 0, desired: word, ordering: .acquiring).exchanged { return false }
        // From here on, who gives the turn back comes to the line.
        let (isSet, found) = self.word.compareExchange(expected: 1, desired: 2, ordering: .relaxed)
        guard isSet || found == 2 else { continue }
        join(&line)
        return true
      }
    }
  }

  /// Leaves the line.
  ///
  /// - Returns: whether the turn had not come meanwhile.
  private func leave(_ waiter: Waiter) -> Bool {
    line.withLock { line in
      guard let place = line.threads.firstIndex(where: { $0 === waiter }) else { return false }
      line.threads.remove(at: place)
      if line.isEmpty { word.store(1, ordering: .relaxed) }
      return true
    }
  }
}

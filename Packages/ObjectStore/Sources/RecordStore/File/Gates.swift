import Foundation
import Synchronization

/// Lets one thread at a time decide about a key. A thread that is inside may enter again.
final class Gates<Key: Hashable & Sendable>: Sendable {
  private struct Gate {
    let lock = NSRecursiveLock()
    /// Who is inside or waits.
    var visitors = 0
  }
  private let gates = Mutex<[Key: Gate]>([:])

  /// The keys about which somebody decides.
  var count: Int { gates.withLock(\.count) }

  /// Runs `body` when nobody else is inside.
  func pass<R>(_ key: Key, _ body: () throws -> R) rethrows -> R {
    let lock = gates.withLock { gates in
      var gate = gates[key] ?? Gate()
      gate.visitors += 1
      gates[key] = gate
      return gate.lock
    }
    lock.lock()
    defer {
      lock.unlock()
      gates.withLock { gates in
        gates[key]?.visitors -= 1
        if gates[key]?.visitors == 0 { gates[key] = nil }
      }
    }
    return try body()
  }
}

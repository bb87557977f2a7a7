import Foundation
import Synchronization

/// One recursive lock per key, made when it is asked for and dropped with its last holder.
public final class KeyedLock<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    let lock = NSRecursiveLock()
    /// The threads that hold the lock or wait for it.
    var holders = 0
  }
  private let entries = Mutex<[Key: Entry]>([:])

  /// Locks that nobody holds.
  public init() {}

  /// The number of keys whose lock is held or waited for.
  var count: Int { entries.withLock(\.count) }

  /// Runs `body` with the lock of `key` held. Blocks while another thread holds it; a holder may enter again.
  ///
  /// - Throws: the error of `body`.
  public func withLock<R>(_ key: Key, _ body: () throws -> R) rethrows -> R {
    let lock = entries.withLock { entries in
      var entry = entries[key] ?? Entry()
      entry.holders += 1
      entries[key] = entry
      return entry.lock
    }
    lock.lock()
    defer {
      lock.unlock()
      entries.withLock { entries in
        entries[key]?.holders -= 1
        if entries[key]?.holders == 0 { entries[key] = nil }
      }
    }
    return try body()
  }
}

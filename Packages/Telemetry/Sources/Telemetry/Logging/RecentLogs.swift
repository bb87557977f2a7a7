import Synchronization

/// A sink that keeps the last entries, numbers them, and tells observers of new ones: the end of a log, for administration.
///
/// Safe from any thread.
public final class RecentLogs: LogSink {
  /// An entry with its number, from 1 in the order of writing.
  public struct Numbered: Hashable, Sendable {
    /// The number.
    public var number: UInt64
    /// The entry.
    public var entry: LogEntry
  }

  private struct State {
    var ring: [Numbered] = []
    var next = 0
    var last: UInt64 = 0
    var observers: [UInt64: @Sendable (Numbered) -> Void] = [:]
    var lastObserver: UInt64 = 0
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// A sink for the last `capacity` entries.
  public init(capacity: Int = 2_000) {
    precondition(capacity > 0, "a RecentLogs keeps at least one entry")
    self.capacity = capacity
  }

  /// Keeps an entry, and tells the observers on the caller's thread.
  public func write(_ entry: LogEntry) {
    let (numbered, observers) = state.withLock { state in
      state.last += 1
      let numbered = Numbered(number: state.last, entry: entry)
      if state.ring.count < capacity {
        state.ring.append(numbered)
      } else {
        state.ring[state.next] = numbered
        state.next = (state.next + 1) % capacity
      }
      return (numbered, Array(state.observers.values))
    }
    for observer in observers { observer(numbered) }
  }

  /// The last entries at or above a level, oldest first.
  ///
  /// - Parameters:
  ///   - number: only entries with higher numbers.
  ///   - limit: the most entries; the newest are answered.
  /// - Complexity: O(capacity)
  public func entries(from level: LogLevel = .all, after number: UInt64 = 0, limit: Int = .max) -> [Numbered] {
    let all = state.withLock { Array($0.ring[$0.next...] + $0.ring[..<$0.next]) }
    return all.filter { $0.number > number && $0.entry.level >= level }.suffix(limit)
  }

  /// Calls `observer` for each new entry, on the thread that writes it; it must not write itself.
  ///
  /// - Returns: the number for ``removeObserver(_:)``.
  public func addObserver(_ observer: @escaping @Sendable (Numbered) -> Void) -> UInt64 {
    state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = observer
      return state.lastObserver
    }
  }

  /// Ends the calls of an observer.
  public func removeObserver(_ number: UInt64) { state.withLock { $0.observers[number] = nil } }
}

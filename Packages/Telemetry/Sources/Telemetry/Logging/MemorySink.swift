import Synchronization

/// A sink that keeps the latest entries in memory, for tests and for the status page of a server. Safe from any thread.
public final class MemorySink: LogSink {
  private let state: Mutex<[LogEntry]>
  private let capacity: Int

  /// A sink that keeps at most `capacity` entries and then drops the oldest.
  public init(capacity: Int = 10_000) {
    precondition(capacity > 0, "a MemorySink keeps at least one entry")
    self.capacity = capacity
    state = Mutex([])
  }

  /// Keeps the entry, and drops the oldest when the sink is full.
  public func write(_ entry: LogEntry) {
    state.withLock { entries in
      if entries.count >= capacity { entries.removeFirst(entries.count - capacity + 1) }
      entries.append(entry)
    }
  }

  /// The entries kept, oldest first.
  public var entries: [LogEntry] { state.withLock { $0 } }

  /// Drops all entries.
  public func removeAll() { state.withLock { $0.removeAll() } }
}

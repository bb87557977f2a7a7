import Synchronization

/// A sink that keeps the latest entries in memory: for tests and for the status page of a server.
public final class MemorySink: LogSink {
  private let state: Mutex<[LogEntry]>
  private let capacity: Int

  /// A sink that keeps at most `capacity` entries and then forgets the oldest.
  public init(capacity: Int = 10_000) {
    precondition(capacity > 0, "a MemorySink keeps at least one entry")
    self.capacity = capacity
    state = Mutex([])
  }

  public func write(_ entry: LogEntry) {
    state.withLock { entries in
      if entries.count >= capacity { entries.removeFirst(entries.count - capacity + 1) }
      entries.append(entry)
    }
  }

  /// The entries kept, oldest first.
  public var entries: [LogEntry] { state.withLock { $0 } }

  /// Forgets everything.
  public func removeAll() { state.withLock { $0.removeAll() } }
}

/// The receiver of log entries.
///
/// `write` is called from any thread, synchronously; it must not block for long and must not log.
public protocol LogSink: Sendable {
  /// Writes one entry. Errors are swallowed: logging never fails its caller.
  func write(_ entry: LogEntry)
}

/// A sink that drops every entry.
public struct NullSink: LogSink {
  /// A sink that drops every entry.
  public init() {}
  /// Drops the entry.
  public func write(_ entry: LogEntry) {}
}

/// A sink that passes every entry to several others, in order.
public struct FanOutSink: LogSink {
  private let sinks: [any LogSink]

  /// A sink in front of `sinks`.
  public init(_ sinks: [any LogSink]) { self.sinks = sinks }

  /// Passes the entry on. O(*n*) for *n* sinks.
  public func write(_ entry: LogEntry) {
    for sink in sinks { sink.write(entry) }
  }
}

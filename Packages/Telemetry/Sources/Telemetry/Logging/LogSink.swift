/// Where log entries go. Called from any thread, synchronously; must not block for long and must not log.
public protocol LogSink: Sendable {
  /// Writes one entry. Errors are swallowed: logging never fails its caller.
  func write(_ entry: LogEntry)
}

/// A sink that forgets everything.
public struct NullSink: LogSink {
  /// A sink that forgets everything.
  public init() {}
  public func write(_ entry: LogEntry) {}
}

/// A sink that passes every entry to several others, in order.
public struct FanOutSink: LogSink {
  private let sinks: [any LogSink]

  /// A sink in front of `sinks`.
  public init(_ sinks: [any LogSink]) { self.sinks = sinks }

  public func write(_ entry: LogEntry) {
    for sink in sinks { sink.write(entry) }
  }
}

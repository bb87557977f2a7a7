import Synchronization

/// The threshold of a logger and of all loggers derived from it. A change takes effect everywhere at once; safe from any
/// thread.
public final class LogThreshold: Sendable {
  private static let unset = -1
  private let raw: Atomic<Int>
  private let followed: @Sendable () -> LogLevel

  /// A threshold that lets `level` and everything above pass.
  public init(_ level: LogLevel) {
    raw = Atomic(level.rawValue)
    followed = { level }
  }

  /// A threshold that follows another level until it is set itself.
  public init(following followed: @escaping @Sendable () -> LogLevel) {
    raw = Atomic(Self.unset)
    self.followed = followed
  }

  private var current: Int {
    let raw = raw.load(ordering: .relaxed)
    return raw == Self.unset ? followed().rawValue : raw
  }

  /// The lowest level that is written.
  public var level: LogLevel {
    get { LogLevel(rawValue: current) ?? .off }
    set { raw.store(newValue.rawValue, ordering: .relaxed) }
  }

  fileprivate func admits(_ level: LogLevel) -> Bool {
    level.rawValue >= current && level != .off && level != .all
  }
}

/// Writes log entries to a sink. A value that is cheap to copy and safe from any thread; an entry below the threshold
/// costs one atomic load.
///
///     let logger = Logger(category: "server", level: .info, sink: FileDescriptorSink.standardError())
///     logger.info("listening", ["port": 9080])
///     // 2026-11-20T19:00:00.000Z info   server: listening port=9080
///     logger.debug("state", ["dump": "\(expensive())"])  // expensive() is not called
///
/// Message and fields are autoclosures: they are evaluated only when the level is admitted.
public struct Logger: Sendable {
  /// The part of the system that writes.
  public let category: String
  /// Fields put in front of the fields of every entry.
  public let context: LogFields
  /// The shared threshold.
  public let threshold: LogThreshold
  private let sink: any LogSink
  private let clock: any WallClock

  /// A root logger.
  ///
  /// - Parameters:
  ///   - category: the part of the system, with dots; may be empty.
  ///   - level: the lowest level that is written at first; see ``threshold``.
  ///   - sink: the receiver of the entries.
  ///   - clock: gives the time of entries.
  public init(
    category: String = "", level: LogLevel = .info, sink: any LogSink, clock: any WallClock = SystemWallClock()
  ) {
    self.init(category: category, threshold: LogThreshold(level), sink: sink, clock: clock)
  }

  /// A root logger with a threshold that others may share.
  public init(
    category: String = "", threshold: LogThreshold, sink: any LogSink, clock: any WallClock = SystemWallClock()
  ) {
    self.init(category: category, context: .none, threshold: threshold, sink: sink, clock: clock)
  }

  private init(
    category: String, context: LogFields, threshold: LogThreshold, sink: any LogSink, clock: any WallClock
  ) {
    self.category = category
    self.context = context
    self.threshold = threshold
    self.sink = sink
    self.clock = clock
  }

  /// A logger that writes nothing.
  public static let disabled = Logger(level: .off, sink: NullSink())

  /// The lowest level that is written.
  public var level: LogLevel { threshold.level }

  /// Whether an entry of `level` would be written.
  public func isEnabled(_ level: LogLevel) -> Bool { threshold.admits(level) }

  /// A logger for a part: `category` is appended with a dot, `fields` are added to the context. Shares the threshold.
  public func child(_ category: String = "", _ fields: LogFields = .none) -> Logger {
    let joined = self.category.isEmpty || category.isEmpty ? self.category + category : "\(self.category).\(category)"
    return Logger(
      category: joined, context: context.appending(fields), threshold: threshold, sink: sink, clock: clock)
  }

  /// Writes an entry if its level is admitted.
  public func log(
    _ level: LogLevel, _ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = .none
  ) {
    guard threshold.admits(level) else { return }
    sink.write(
      LogEntry(
        time: clock.wallTime, level: level, category: category, message: message(),
        fields: context.appending(fields())))
  }

  /// Writes an entry of level `fatal`: the process cannot go on.
  public func fatal(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = .none) {
    log(.fatal, message(), fields())
  }

  /// Writes an entry of level `error`: a loss, or a refusal that should not have been.
  public func error(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = .none) {
    log(.error, message(), fields())
  }

  /// Writes an entry of level `warn`: a fault that the system survived.
  public func warn(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = .none) {
    log(.warn, message(), fields())
  }

  /// Writes an entry of level `info`: the life of a healthy system.
  public func info(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = .none) {
    log(.info, message(), fields())
  }

  /// Writes an entry of level `detail`: sessions and retries.
  public func detail(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = .none) {
    log(.detail, message(), fields())
  }

  /// Writes an entry of level `debug`: messages and decisions.
  public func debug(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = .none) {
    log(.debug, message(), fields())
  }

  /// Writes an entry of level `trace`: everything that happens.
  public func trace(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = .none) {
    log(.trace, message(), fields())
  }
}

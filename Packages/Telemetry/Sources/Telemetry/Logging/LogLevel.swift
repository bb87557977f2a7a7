/// The importance of a log entry, between the thresholds ``all`` and ``off``.
///
/// A logger with threshold *t* writes the entries whose level is *t* or above. `all` and `off` are thresholds only.
public enum LogLevel: Int, Comparable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// As threshold: every entry is written.
  case all = 0
  /// Everything that happens.
  case trace
  /// Messages and decisions, for developers.
  case debug
  /// Sessions and retries, for an operator who looks closer.
  case detail
  /// The life of a healthy system.
  case info
  /// A fault that the system survived.
  case warn
  /// A loss, or a refusal that should not have been.
  case error
  /// The process cannot go on.
  case fatal
  /// As threshold: nothing is written.
  case off

  /// Whether the left level is less important.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

  /// The level called `name` (any case), or nil. `warning` is read as `warn`.
  ///
  ///     LogLevel("Info")  // .info
  public init?(_ name: some StringProtocol) {
    let lowered = name.lowercased()
    guard let level = Self.allCases.first(where: { $0.description == lowered }) ?? (lowered == "warning" ? .warn : nil)
    else { return nil }
    self = level
  }

  /// The name in lower case, as written in log lines and configuration.
  public var description: String {
    switch self {
    case .all: "all"
    case .trace: "trace"
    case .debug: "debug"
    case .detail: "detail"
    case .info: "info"
    case .warn: "warn"
    case .error: "error"
    case .fatal: "fatal"
    case .off: "off"
    }
  }
}

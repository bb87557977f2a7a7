/// How important a log entry is, from ``all`` (nothing is too small) to ``off`` (nothing is important enough).
///
/// A logger with threshold *t* writes the entries whose level is *t* or above. `all` and `off` are thresholds only.
public enum LogLevel: Int, Comparable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case all = 0, trace, debug, detail, info, warn, error, fatal, off

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

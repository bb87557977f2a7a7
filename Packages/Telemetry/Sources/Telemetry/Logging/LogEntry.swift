/// One line of a log: time, level, category, message and fields.
public struct LogEntry: Hashable, Sendable {
  /// Calendar time of the call.
  public var time: WallTime
  /// Importance; never `all` or `off`.
  public var level: LogLevel
  /// The part of the system that wrote the entry, with dots: `sync.session`. Empty for the root.
  public var category: String
  /// A sentence without variable parts, so that equal events have equal messages.
  public var message: String
  /// The variable parts: first those of the logger, then those of the call.
  public var fields: LogFields

  /// An entry with all its parts.
  public init(time: WallTime, level: LogLevel, category: String, message: String, fields: LogFields = .none) {
    self.time = time
    self.level = level
    self.category = category
    self.message = message
    self.fields = fields
  }
}

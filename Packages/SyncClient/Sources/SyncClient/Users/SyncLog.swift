import ObjectStore
import Synchronization
import Telemetry

/// Passes what sync says to the block that the application gave for it, or else to where realms log.
final class SyncLog: LogSink {
  /// The application's own block.
  let block = Mutex<(@Sendable (LogLevel, String) -> Void)?>(nil)
  private let realmLogger: @Sendable () -> RealmLogger?

  /// - Parameter realmLogger: where realms log at the time.
  init(_ realmLogger: @escaping @Sendable () -> RealmLogger?) { self.realmLogger = realmLogger }

  func write(_ entry: LogEntry) {
    let line = LogFormat.body(of: entry)
    if let block = block.withLock({ $0 }) { return block(entry.level, line) }
    realmLogger()?.forward(RealmLogLevel(entry.level), line)
  }

  /// How much realms log, unless sync is told another level.
  func realmLevel() -> LogLevel { realmLogger().map { LogLevel($0.level) } ?? .off }
}

extension RealmLogLevel {
  /// The level of this name.
  init(_ level: LogLevel) { self = RealmLogLevel(rawValue: RealmLogLevel.all.rawValue - level.rawValue) ?? .off }
}

extension LogLevel {
  /// The level of this name: least important first here, last there.
  init(_ level: RealmLogLevel) { self = LogLevel(rawValue: LogLevel.off.rawValue - level.rawValue) ?? .off }
}

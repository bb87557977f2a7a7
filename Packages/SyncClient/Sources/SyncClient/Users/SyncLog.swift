import ObjectStore
import Synchronization
import Telemetry

/// Passes log lines to the block that the application set, or else to the logger of realms. Safe from any thread.
final class SyncLog: LogSink {
  /// The block of the application; nil for the logger of realms.
  let block = Mutex<(@Sendable (LogLevel, String) -> Void)?>(nil)
  private let realmLogger: @Sendable () -> RealmLogger?

  /// A sink.
  ///
  /// - Parameter realmLogger: gives the present logger of realms.
  init(_ realmLogger: @escaping @Sendable () -> RealmLogger?) { self.realmLogger = realmLogger }

  func write(_ entry: LogEntry) {
    let line = LogFormat.body(of: entry)
    if let block = block.withLock({ $0 }) { return block(entry.level, line) }
    realmLogger()?.forward(RealmLogLevel(entry.level), line)
  }

  /// The level of the logger of realms: the threshold of sync unless the application sets one.
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

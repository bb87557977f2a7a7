import Foundation
import Synchronization

/// How much is logged, from nothing to everything.
public enum RealmLogLevel: Int, Sendable, Comparable, CaseIterable {
  case off, fatal, error, warn, info, detail, debug, trace, all

  /// True when `left` lets fewer messages through than `right`.
  public static func < (left: RealmLogLevel, right: RealmLogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Receives what realms have to say about themselves: openings, migrations, connections, errors.
///
///     RealmLogger.shared = RealmLogger(level: .debug) { level, message in print(level, message) }
public final class RealmLogger: Sendable {
  // Every commit asks for the level. No lock is taken for that: threads that commit at the same time would stand in line.
  private let wanted: Atomic<Int>
  private let write: @Sendable (RealmLogLevel, String) -> Void

  /// Hands messages up to a level to a function, from any thread.
  public init(level: RealmLogLevel, logFunction: @escaping @Sendable (RealmLogLevel, String) -> Void) {
    wanted = Atomic(level.rawValue)
    write = logFunction
  }

  /// The least important level whose messages are passed on.
  public var level: RealmLogLevel {
    get { RealmLogLevel(rawValue: wanted.load(ordering: .relaxed)) ?? .off }
    set {
      Self.current.withLock { current in
        wanted.store(newValue.rawValue, ordering: .relaxed)
        if current === self { Self.sharedLevel.store(newValue.rawValue, ordering: .relaxed) }
      }
    }
  }

  /// Passes a message on when its level is wanted.
  public func log(_ level: RealmLogLevel, _ message: @autoclosure () -> String) {
    let wanted = self.level
    if level != .off, wanted != .off, level <= wanted { write(level, message()) }
  }

  /// Passes a message on whatever its level: for parts of the platform whose level is set elsewhere.
  public func forward(_ level: RealmLogLevel, _ message: String) { write(level, message) }

  /// Where realms log; writes to standard error from level info unless set. Nil logs nothing.
  public static var shared: RealmLogger! {
    get { current.withLock { $0 } }
    set {
      current.withLock { current in
        current = newValue
        sharedLevel.store((newValue?.level ?? .off).rawValue, ordering: .relaxed)
      }
    }
  }

  /// The level of the shared logger; off when there is none.
  fileprivate static let sharedLevel = Atomic(RealmLogLevel.info.rawValue)

  private static let current = Mutex<RealmLogger?>(
    RealmLogger(level: .info) { level, message in
      FileHandle.standardError.write(Data("Realm \(level): \(visible(message))\n".utf8))
    })

  /// A message on one line, in which nothing acts on the terminal: names and messages of peers are a part of it.
  private static func visible(_ message: String) -> String {
    message.unicodeScalars.reduce(into: "") { line, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: line += scalar.escaped(asASCII: true)
      default: line.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Logs to the shared logger; the message is made only when it is wanted.
func log(_ level: RealmLogLevel, _ message: @autoclosure () -> String) {
  guard level.rawValue <= RealmLogger.sharedLevel.load(ordering: .relaxed) else { return }
  RealmLogger.shared?.log(level, message())
}

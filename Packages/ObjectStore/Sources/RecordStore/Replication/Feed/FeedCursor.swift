public import ChangesetOT

/// A durable position in a server's history, under a name: a consumer of the history has handled every version up to it.
///
/// The cursor holds the history after it, so that it can be read: no snapshot, and only within the budget.
public struct FeedCursor: Hashable, Sendable {
  /// Names the cursor within its file; at most ``longestName`` bytes.
  public let name: String
  /// The newest version that is handled.
  public internal(set) var position: ServerVersion
  /// The most history that the cursor holds.
  public internal(set) var budget: FeedBudget
  /// Whether a check found the history after the cursor to exceed the budget.
  var isBehind = false

  /// The most bytes of a name.
  public static let longestName = 120
  /// The most cursors of one file.
  public static let mostPerFile = 256
}

/// The most history that a cursor holds: beyond either limit the cursor has fallen behind.
public struct FeedBudget: Hashable, Sendable {
  /// Bytes of the changesets after the cursor, and of the inverses that are kept beside them.
  public var bytes: Int
  /// The age of the oldest version after the cursor.
  public var age: Duration

  /// A budget; by default 64 MiB and 7 days.
  public init(bytes: Int = 64 << 20, age: Duration = .seconds(7 * 86_400)) {
    self.bytes = bytes
    self.age = age
  }
}

/// The first position of a new cursor.
public enum FeedStart: Hashable, Sendable {
  /// After the newest version: only what comes is read.
  case newest
  /// Before the oldest version that is kept.
  case oldest
  /// After a version that the consumer has handled.
  case after(SaltedServerVersion)
}

/// The history that a cursor has before it.
public struct FeedLag: Hashable, Sendable {
  /// Versions, those included that a feed passes over.
  public var versions: UInt64 = 0
  /// Bytes of their changesets and inverses.
  public var bytes = 0
  /// The age of the oldest of them, as far as it is known: never more than the true one, and less by a sixty-fourth of
  /// the budget or the time between two checks at most.
  public var age = Duration.zero
  /// The gap before the cursor, when it has fallen behind.
  public var gap: FeedGap?
}

/// A cursor and its lag.
public struct FeedCursorStatus: Hashable, Sendable {
  /// The cursor.
  public var cursor: FeedCursor
  /// The history before it.
  public var lag: FeedLag
}

/// The break in the history of a cursor that has fallen behind. The consumer reads the present state and goes on from there.
public struct FeedGap: Hashable, Sendable {
  /// The reason for the break.
  public enum Reason: Hashable, Sendable {
    /// The history after the cursor has more bytes than the budget.
    case bytes
    /// The history after the cursor is older than the budget.
    case age
    /// The history after the cursor is no longer kept.
    case trimmed
  }

  /// The name of the cursor.
  public var cursor: String
  /// The newest version that the consumer has handled.
  public var position: ServerVersion
  /// The newest version of the history.
  public var newest: SaltedServerVersion
  /// The reason.
  public var reason: Reason

  /// A gap.
  public init(cursor: String, position: ServerVersion, newest: SaltedServerVersion, reason: Reason) {
    self.cursor = cursor
    self.position = position
    self.newest = newest
    self.reason = reason
  }
}

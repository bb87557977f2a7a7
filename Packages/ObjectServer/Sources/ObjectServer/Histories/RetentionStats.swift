import ChangesetOT
import RecordStore
import Permissions
import Synchronization

/// Measurements of a realm's history and state that ``HistoryRetention`` reuses, also after the files were closed.
struct RetentionStats: Sendable {
  /// The last measurement of the state: most clients arrive while nothing changes.
  var plan: BootstrapPlan?
  /// The bytes of history up to which the state is known to be no shorter.
  var historyIsShortUpTo = 0
  /// The time of the last trimming check; nil before the first.
  var checkedAt: OriginTimestamp?
  /// The bytes of history after that check.
  var bytesAtCheck = 0
  /// The cursors of the feed at that check.
  var feed = FeedLoad()

  /// Whether the measurements are worth keeping: those of a short history are quickly repeated.
  func isWorthKeeping(minimumBytes: Int) -> Bool {
    plan != nil || historyIsShortUpTo > 0 || feed.cursors > 0 || bytesAtCheck >= minimumBytes
  }
}

/// The statistics of closed realms, by path. From any thread.
final class RetentionStatsTable: Sendable {
  private let stats = Mutex<[RealmPath: RetentionStats]>([:])

  subscript(path: RealmPath) -> RetentionStats? {
    get { stats.withLock { $0[path] } }
    set { stats.withLock { $0[path] = newValue } }
  }

  func forget(_ path: RealmPath) { self[path] = nil }
}

/// The entry of one realm in the table.
struct StoredRetentionStats: Sendable {
  private let table: RetentionStatsTable
  private let path: RealmPath

  init(_ table: RetentionStatsTable, _ path: RealmPath) {
    self.table = table
    self.path = path
  }

  func read() -> RetentionStats { table[path] ?? RetentionStats() }
  func write(_ stats: RetentionStats?) { table[path] = stats }
}

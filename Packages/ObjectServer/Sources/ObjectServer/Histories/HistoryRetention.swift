import ChangesetOT
import RecordStore
import SyncProtocol
import Synchronization

/// Decides for one realm what history is kept, and which clients are sent the state instead of the history.
///
/// `HistoryRetention+Bootstraps.swift` sends states, `HistoryRetention+Compaction.swift` shorter pasts,
/// `HistoryRetention+Views.swift` what queries select, this file trims. Blocks; one thread at a time, except for
/// ``hasLiveBootstrap``.
final class HistoryRetention: Sendable {
  /// A bootstrap under way: a client that is being sent the state.
  struct ActiveBootstrap {
    var bootstrap: ServerBootstrap
    /// The time of the last request for a part.
    var requestedAt: OriginTimestamp
  }

  struct State {
    var bootstraps: [FileIdent: ActiveBootstrap] = [:]
    /// The clients in the middle of a bootstrap of their queries, with the times of their last requests.
    var views: [FileIdent: OriginTimestamp] = [:]
    /// The clients that lack a long past which is not worth compaction, with the version that it ends at.
    var plain: [FileIdent: ServerVersion] = [:]
    var stats = RetentionStats()
  }

  let history: ServerHistory
  let policy: RetentionPolicy
  let state: Mutex<State>
  private let stored: StoredRetentionStats

  init(_ history: ServerHistory, policy: RetentionPolicy, stored: StoredRetentionStats) {
    self.history = history
    self.policy = policy
    self.stored = stored
    state = Mutex(State(stats: stored.read()))
  }

  /// Stores the statistics for the next opening of the realm.
  func storeStats() {
    stored.write(state.withLock { $0.stats.isWorthKeeping(minimumBytes: policy.leastBytes) ? $0.stats : nil })
  }

  /// Trims the history if the last check is older than the policy's interval or the history has doubled since.
  ///
  /// - Throws: the errors of the store.
  /// - Complexity: O(1) when no check is due, else O(client files + cursors + trimmed entries).
  func trimIfDue() throws {
    let now = history.file.options.clock()
    let (checkedAt, bytesAtCheck) = state.withLock { ($0.stats.checkedAt, $0.stats.bytesAtCheck) }
    let bytes = try history.historyBytes()
    if let checkedAt, now < checkedAt.adding(policy.interval), bytes < 2 * max(bytesAtCheck, policy.leastBytes) {
      return
    }
    if bytes >= policy.leastBytes {
      try history.trim(
        notSeenSince: now.subtracting(policy.timeToLive), grace: now.subtracting(policy.firstDownloadGrace))
    }
    let left = try history.historyBytes()
    let feed = FeedLoad(try history.feedCursors())
    state.withLock { state in
      state.stats.checkedAt = now
      state.stats.bytesAtCheck = left
      state.stats.feed = feed
    }
  }

  /// The cursors of the feed at the last check. From any thread.
  var feedLoad: FeedLoad { state.withLock { $0.stats.feed } }
}

extension FeedLoad {
  /// - Parameter cursors: by name.
  init(_ cursors: [FeedCursorStatus]) {
    self.cursors = cursors.count
    behind = cursors.filter { $0.lag.gap != nil }.map(\.cursor.name)
    bytes = cursors.filter { $0.lag.gap == nil }.map(\.lag.bytes).max() ?? 0
  }
}

extension OriginTimestamp {
  func adding(_ duration: Duration) -> OriginTimestamp {
    OriginTimestamp(rawValue &+ UInt64(max(0, duration / .milliseconds(1))))
  }

  func subtracting(_ duration: Duration) -> OriginTimestamp {
    let milliseconds = UInt64(max(0, duration / .milliseconds(1)))
    return OriginTimestamp(rawValue > milliseconds ? rawValue - milliseconds : 0)
  }
}

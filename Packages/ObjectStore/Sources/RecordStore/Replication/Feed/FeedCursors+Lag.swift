import ChangesetOT
import StorageEngine

extension FeedCursors {
  /// The history before a cursor.
  ///
  /// - Parameter entry: reads an entry of the history.
  /// - Throws: the errors of `entry`.
  /// - Complexity: O(log *n*) in the history, and the size of one entry.
  func lag(
    of cursor: FeedCursor, _ state: ServerState, at now: OriginTimestamp, entry: (Int64) throws -> [UInt8]?
  ) throws -> FeedLag {
    var lag = FeedLag()
    guard cursor.position < state.current else { return lag }
    lag.versions = state.current.rawValue - cursor.position.rawValue
    lag.age = age(of: ServerVersion(cursor.position.rawValue + 1), at: now)
    // An entry that is missing was trimmed meanwhile.
    let first = max(cursor.position, state.base).rawValue + 1
    let content = first <= state.current.rawValue ? try entry(Int64(clamping: first)) : nil
    if let next = try content.map(ServerLogEntry.init(decoding:)) {
      let before = next.bytesThrough - min(next.bytesThrough, UInt64(next.changeset.count))
      lag.bytes = Int(clamping: state.bytes - min(state.bytes, before))
    }
    let reason: FeedGap.Reason? =
      if cursor.position < state.base || content == nil {
        .trimmed
      } else if lag.bytes > cursor.budget.bytes {
        .bytes
      } else if cursor.isBehind || lag.age > cursor.budget.age {
        .age
      } else {
        nil
      }
    lag.gap = reason.map {
      FeedGap(cursor: cursor.name, position: cursor.position, newest: state.salted, reason: $0)
    }
    return lag
  }

  /// Looks at every cursor, and marks those that have fallen behind.
  ///
  /// - Returns: the lowest position of those that hold history; nil when none does.
  /// - Throws: `StorageError` when the history cannot be read.
  static func review(
    _ state: ServerState, at now: OriginTimestamp, in transaction: WriteTransaction
  ) throws -> ServerVersion? {
    var known = try FeedCursors(in: transaction)
    guard !known.cursors.isEmpty else { return nil }
    var held: ServerVersion?
    let log = try transaction.log(ServerLog.entries)
    known.note(state.current, at: now)
    for cursor in known.cursors {
      if try known.lag(of: cursor, state, at: now, entry: log.entry(at:)).gap != nil {
        known.markBehind(cursor.name)
      } else {
        held = min(held ?? cursor.position, cursor.position)
      }
    }
    try known.store(in: transaction)
    return held
  }
}

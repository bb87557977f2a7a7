import ChangesetOT
import StorageEngine

extension FeedCursors {
  /// The history before a cursor.
  ///
  /// - Parameters:
  ///   - inverseBytes: the bytes of all inverses ever.
  ///   - first: reads the first entry of a log from a position on, up to the newest version.
  /// - Throws: the errors of `first`.
  /// - Complexity: O(log *n*) in the history, and the size of two entries.
  func lag(
    of cursor: FeedCursor, _ state: ServerState, inverseBytes: UInt64, at now: OriginTimestamp,
    first: (_ log: String, _ position: Int64) throws -> LogEntry?
  ) throws -> FeedLag {
    var lag = FeedLag()
    guard cursor.position < state.current else { return lag }
    lag.versions = state.current.rawValue - cursor.position.rawValue
    lag.age = age(of: ServerVersion(cursor.position.rawValue + 1), at: now)
    // An entry that is missing was trimmed meanwhile.
    let position = Int64(clamping: max(cursor.position, state.base).rawValue + 1)
    let next = try first(ServerLog.entries, position)
    if let next = try next.map({ try ServerLogEntry(decoding: $0.content) }) {
      let before = next.bytesThrough - min(next.bytesThrough, UInt64(next.changeset.count))
      lag.bytes = Int(clamping: state.bytes - min(state.bytes, before))
    }
    if let inverse = try first(InverseLog.entries, position) {
      let before = try InverseLog.bytes(before: inverse.content)
      lag.bytes += Int(clamping: inverseBytes - min(inverseBytes, before))
    }
    let reason: FeedGap.Reason? =
      if cursor.position < state.base || next == nil {
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
    let (current, inverseBytes) = (
      Int64(clamping: state.current.rawValue), try InverseLog.totalBytes(in: transaction)
    )
    known.note(state.current, at: now)
    for cursor in known.cursors {
      let lag = try known.lag(of: cursor, state, inverseBytes: inverseBytes, at: now) { log, position in
        guard position <= current else { return nil }
        return try transaction.log(log).entries(in: position...current, byteLimit: 1).first
      }
      if lag.gap != nil {
        known.markBehind(cursor.name)
      } else {
        held = min(held ?? cursor.position, cursor.position)
      }
    }
    try known.store(in: transaction)
    return held
  }
}

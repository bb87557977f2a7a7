import ChangesetOT
import StorageEngine

/// The retention of acknowledged changesets in a client file. A server that is restored from a backup has forgotten the latest
/// of them, and gets them again.
struct ClientRetention {
  /// Milliseconds after which no older backup is reckoned with: 30 days.
  static let age: UInt64 = 30 * 86_400_000
  /// Bytes of entries, above which the oldest go first.
  static let bytes = 16 << 20
  /// Bytes of entries that are kept however old they seem: they were dated by a clock that may have been years wrong.
  static let leastBytes = 1 << 20

  let log: LogWriter
  let now: OriginTimestamp

  /// Drops what is old or too much, and nothing behind `end`.
  func trim(through end: Int64) throws {
    while let first = try log.firstPosition(), first <= end {
      let head = try log.entries(in: first...end, byteLimit: 1)
      guard let item = head.first else { return }
      let entry = try ClientLogEntry(decoding: item.content)
      let isOld = now.rawValue > entry.timestamp.rawValue && now.rawValue - entry.timestamp.rawValue > Self.age
      let total = try log.totalBytes()
      let isMuch = total > Self.bytes || (isOld && total > Self.leastBytes)
      guard isMuch || !entry.isUploadable else { return }
      try log.delete(through: item.position)
    }
  }
}

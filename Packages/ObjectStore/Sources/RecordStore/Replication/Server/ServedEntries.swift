/// Entries of a server's history that were read a moment ago: after a commit everybody asks for the same few.
///
/// An entry never changes once it is committed. Those that are trimmed away are not asked for any more.
struct ServedEntries: Sendable {
  /// Bytes of changesets that are remembered at most.
  static let limit = 256 << 10

  private var entries: [ServerLogEntry] = []
  /// The version of the first entry.
  private var first: Int64 = 1
  private var bytes = 0

  /// The version after the last one that is known.
  private var end: Int64 { first + Int64(entries.count) }

  /// The entries from a version on, up to another at most; nil when the first of them is not known.
  func entries(in range: ClosedRange<Int64>) -> ArraySlice<ServerLogEntry>? {
    guard range.lowerBound >= first, range.lowerBound < end else { return nil }
    return entries[Int(range.lowerBound - first)...Int(min(range.upperBound, end - 1) - first)]
  }

  /// Remembers entries whose versions follow each other from `version` on. What does not continue the known ones takes
  /// their place; the oldest are forgotten when there are too many.
  mutating func insert(_ found: [ServerLogEntry], from version: Int64) {
    if version != end { (first, entries, bytes) = (version, [], 0) }
    entries += found
    bytes += found.reduce(0) { $0 + $1.changeset.count }
    let excess = entries.prefix { entry in
      guard bytes > Self.limit else { return false }
      bytes -= entry.changeset.count
      return true
    }.count
    // A new array: the room of a large reading is not kept for a few entries.
    if excess > 0 { entries = Array(entries.dropFirst(excess)) }
    first += Int64(excess)
  }
}

/// The newest entries of a client's history, as far as this process wrote them: what is to be uploaded, counted or merged
/// was mostly committed a moment ago.
///
/// Knows every version of a range, those without an entry included, or nothing of it: what another process commits makes
/// it begin anew.
struct RecentEntries: Sendable {
  /// Bytes of changesets that are remembered at most.
  static let limit = 256 << 10

  /// Versions after the one and up to the other are known.
  private(set) var known: (after: Int64, through: Int64) = (0, 0)
  private var entries: ArraySlice<(position: Int64, entry: ClientLogEntry)> = []
  private var bytes = 0

  /// Remembers what the transaction that made a version left behind; nil when that is nothing.
  ///
  /// Versions may come out of order, as threads get here; one that is late is not known.
  mutating func insert(_ entry: ClientLogEntry?, at version: Int64) {
    guard version > known.through else { return }
    if version != known.through + 1 { self = RecentEntries(known: (version - 1, version)) }
    known.through = version
    guard let entry else { return }
    entries.append((version, entry))
    bytes += entry.changeset.count
    while bytes > Self.limit, let first = entries.first { forget(through: first.position) }
  }

  /// Forgets versions that nobody asks for any more.
  mutating func forget(through version: Int64) {
    guard version > known.after else { return }
    while let first = entries.first, first.position <= version {
      bytes -= first.entry.changeset.count
      entries.removeFirst()
    }
    known = (version, max(version, known.through))
    if entries.isEmpty { entries = [] }
  }

  /// The entries of the versions of a range, ascending; nil when not all of these are known.
  ///
  /// - Complexity: O(*n*) in the entries from the first of the range on.
  func entries(in range: ClosedRange<Int64>) -> ArraySlice<(position: Int64, entry: ClientLogEntry)>? {
    guard range.lowerBound > known.after, range.upperBound <= known.through else { return nil }
    let before = entries.lastIndex { $0.position < range.lowerBound }
    return entries[(before.map { $0 + 1 } ?? entries.startIndex)...].prefix { $0.position <= range.upperBound }
  }
}

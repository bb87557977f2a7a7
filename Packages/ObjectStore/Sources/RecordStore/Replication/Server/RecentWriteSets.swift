import ChangesetOT

/// The write sets of the newest entries of a server's history, so that an upload is rebased only over those that it may
/// conflict with.
///
/// Only entries that are committed may be kept from one transaction to the next.
struct RecentWriteSets: Sendable {
  /// One entry of the history: its author, and the objects that it addresses.
  struct Entry: Sendable {
    let writeSet: WriteSet
    let source: FileIdent
    /// Whether only its source is sent it.
    var isPrivate = false

    /// Whether an upload of a file may meet the entry: a file knows its own entries, and none that is meant for another one alone.
    fileprivate func concerns(_ file: FileIdent) -> Bool { isPrivate == (source == file) }
  }

  /// The most objects remembered, at eight bytes each, and some for each entry.
  static let limit = 1 << 17
  /// The same of entries that uploads ask for again and again: those of an author that is far behind, such as a connector with a
  /// backlog. To read them anew for each of its uploads costs as much as the whole backlog.
  static let limitInUse = 1 << 21

  private var first: Int64 = 1
  private var rows: ArraySlice<Entry> = []
  private var size = 0
  /// The first version that is in use. Each upload that asks for less moves it a part of the way.
  private var firstInUse = Int64.max

  /// The version after the last one that is known.
  private var end: Int64 { first + Int64(rows.count) }

  /// The versions of a range whose entries may meet something that a file uploads; those that are not known may meet everything.
  func versions(in range: ClosedRange<Int64>, conflictingWith other: WriteSet, for file: FileIdent) -> [Int64] {
    let (first, end) = (first, end)
    return rows.withUnsafeBufferPointer { rows in
      range.filter { version in
        guard version >= first, version < end else { return true }
        let row = rows[Int(version - first)]
        return row.concerns(file) && row.writeSet.mayConflict(with: other)
      }
    }
  }

  /// The versions of a range that are not known.
  func missing(in range: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
    guard !rows.isEmpty, range.upperBound >= first, range.lowerBound <= end else { return [range] }
    var missing: [ClosedRange<Int64>] = []
    if range.lowerBound < first { missing.append(range.lowerBound...first - 1) }
    if range.upperBound >= end { missing.append(end...range.upperBound) }
    return missing
  }

  /// Takes note that an upload asks for the versions from one on.
  mutating func use(from version: Int64) {
    let rest = max(0, end - min(firstInUse, end))
    firstInUse = min(version, end - rest + rest / 16)
  }

  /// Adds what entries address whose versions follow each other from `version` on. What does not touch the known ones
  /// takes their place; the oldest are forgotten when there are too many.
  mutating func insert(_ entries: [Entry], from version: Int64) {
    if !rows.isEmpty, version + Int64(entries.count) == first {
      rows = entries + rows
      first = version
    } else if !rows.isEmpty, version == end {
      rows += entries
    } else {
      (first, rows, size) = (version, ArraySlice(entries), 0)
    }
    size += entries.reduce(0) { $0 + Self.size($1) }
    while size > (first >= firstInUse ? Self.limitInUse : Self.limit), let oldest = rows.popFirst() {
      size -= Self.size(oldest)
      first += 1
    }
  }

  /// Forgets what came after a version, because its transaction came to nothing.
  mutating func forget(after version: Int64) {
    while end - 1 > version, let last = rows.popLast() { size -= Self.size(last) }
  }

  private static func size(_ entry: Entry) -> Int { entry.writeSet.count + 5 }
}

import ChangesetOT

/// The write sets of the newest entries of a server's history, so that an upload is rebased only over those that it may
/// conflict with.
///
/// Only entries that are committed may be kept from one transaction to the next.
struct RecentWriteSets: Sendable {
  /// The most objects remembered, at eight bytes each, and some for each entry.
  static let limit = 1 << 17

  private var first: Int64 = 1
  private var rows: ArraySlice<WriteSet> = []
  private var size = 0

  /// The version after the last one that is known.
  private var end: Int64 { first + Int64(rows.count) }

  /// The versions of a range whose entries may meet something; those that are not known may meet everything.
  func versions(in range: ClosedRange<Int64>, conflictingWith other: WriteSet) -> [Int64] {
    let (first, end) = (first, end)
    return rows.withUnsafeBufferPointer { rows in
      range.filter { $0 < first || $0 >= end || rows[Int($0 - first)].mayConflict(with: other) }
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

  /// Adds what entries address whose versions follow each other from `version` on. What does not touch the known ones
  /// takes their place; the oldest are forgotten when there are too many.
  mutating func insert(_ writeSets: [WriteSet], from version: Int64) {
    if !rows.isEmpty, version + Int64(writeSets.count) == first {
      rows = writeSets + rows
      first = version
    } else if !rows.isEmpty, version == end {
      rows += writeSets
    } else {
      (first, rows, size) = (version, ArraySlice(writeSets), 0)
    }
    size += writeSets.reduce(0) { $0 + Self.size($1) }
    while size > Self.limit, let oldest = rows.popFirst() {
      size -= Self.size(oldest)
      first += 1
    }
  }

  /// Forgets what came after a version, because its transaction came to nothing.
  mutating func forget(after version: Int64) {
    while end - 1 > version, let last = rows.popLast() { size -= Self.size(last) }
  }

  private static func size(_ writeSet: WriteSet) -> Int { writeSet.count + 4 }
}

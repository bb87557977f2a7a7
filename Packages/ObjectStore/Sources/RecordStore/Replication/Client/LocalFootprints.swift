import ChangesetOT

/// What the local changesets of a file address that wait for the server, so that a download is carried only over those
/// that it may meet. Each is read once.
struct LocalFootprints: Sendable {
  /// How many objects are remembered at most, with eight bytes each, and some for each changeset.
  static let limit = 1 << 17

  private var ident = SaltedFileIdent.none
  /// Entries after the one and up to the other position are known.
  private var known: (after: Int64, through: Int64) = (0, 0)
  private var entries: ArraySlice<(position: Int64, footprint: WriteSet)> = []
  /// What the entries address.
  private var objects = WriteSetUnion()
  /// Knows the names that the last entry defined.
  private var decoder = ChangesetDecoder()
  /// What is counted for the limit.
  private var size = 0

  /// The positions of the changesets after `base` that may meet `incoming`, ascending.
  ///
  /// - Parameter ident: who the file is. With another ident its history is another one.
  /// - Complexity: O(*n* log *m*) in the changesets after `base` and the objects of `incoming`.
  mutating func positions(
    after base: Int64, meeting incoming: WriteSet, in history: HistoryTail, of ident: SaltedFileIdent
  ) throws -> [Int64] {
    try read(after: base, in: history, of: ident)
    defer { forgetTooMany() }
    return entries.compactMap { $0.footprint.mayConflict(with: incoming) ? $0.position : nil }
  }

  /// What the changesets after `base` address.
  mutating func objects(
    after base: Int64, in history: HistoryTail, of ident: SaltedFileIdent
  ) throws -> WriteSetUnion {
    try read(after: base, in: history, of: ident)
    defer { forgetTooMany() }
    return objects
  }

  /// Makes the changesets after `base` those that are known.
  private mutating func read(after base: Int64, in history: HistoryTail, of ident: SaltedFileIdent) throws {
    let last = try history.lastPosition(after: base) ?? base
    if ident != self.ident || base < known.after || last < known.through {
      self = LocalFootprints(ident: ident, known: (base, base))
    }
    known = (base, max(base, known.through))
    while let first = entries.first, first.position <= base {
      objects.remove(first.footprint)
      size -= first.footprint.count + 4
      entries.removeFirst()
    }
    guard known.through < last else { return }
    for (position, entry) in try history.entries(after: known.through) {
      if entry.isUploadable {
        var collector = WriteSetCollector()
        try collector.add(entry.changeset[...], with: &decoder)
        let footprint = collector.writeSet
        entries.append((position, footprint))
        objects.insert(footprint)
        size += footprint.count + 4
      }
      known.through = position
    }
  }

  private mutating func forgetTooMany() {
    if size > Self.limit { self = LocalFootprints() }
  }
}

import ChangesetOT

/// The write sets of the local changesets that the server has not acknowledged, so that a download is rebased only over those
/// that it may conflict with. Each changeset is read once.
struct PendingWriteSets: Sendable {
  /// The most objects remembered, at eight bytes each, and some for each changeset.
  static let limit = 1 << 17

  private var ident = SaltedFileIdent.none
  /// Entries after the one and up to the other position are known.
  private var known: (after: Int64, through: Int64) = (0, 0)
  private var entries: ArraySlice<(position: Int64, writeSet: WriteSet)> = []
  /// The union of the entries' write sets.
  private var objects = WriteSetUnion()
  /// Decoder with the names that the last entry defined.
  private var decoder = ChangesetDecoder()
  /// The size that counts against ``limit``.
  private var size = 0

  /// The positions of the changesets after `base` that may conflict with `incoming`, ascending.
  ///
  /// - Parameter ident: the identity of the file. With another ident its history is another one.
  /// - Complexity: O(*n* log *m*) in the changesets after `base` and the objects of `incoming`.
  mutating func positions(
    after base: Int64, conflictingWith incoming: WriteSet, in history: HistoryTail, of ident: SaltedFileIdent
  ) throws -> [Int64] {
    try read(after: base, in: history, of: ident)
    defer { forgetTooMany() }
    return entries.compactMap { $0.writeSet.mayConflict(with: incoming) ? $0.position : nil }
  }

  /// The union of the write sets of the changesets after `base`.
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
      self = PendingWriteSets(ident: ident, known: (base, base))
    }
    known = (base, max(base, known.through))
    while let first = entries.first, first.position <= base {
      objects.remove(first.writeSet)
      size -= first.writeSet.count + 4
      entries.removeFirst()
    }
    guard known.through < last else { return }
    for (position, entry) in try history.entries(after: known.through) {
      if entry.isUploadable {
        var collector = WriteSetCollector()
        try collector.add(entry.changeset[...], with: &decoder)
        let writeSet = collector.writeSet
        entries.append((position, writeSet))
        objects.insert(writeSet)
        size += writeSet.count + 4
      }
      known.through = position
    }
  }

  private mutating func forgetTooMany() {
    if size > Self.limit { self = PendingWriteSets() }
  }
}

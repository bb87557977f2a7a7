import ChangesetOT

/// What the local changesets of a file address that wait for the server, so that a download is carried only over those
/// that it may meet. Each is read once.
struct LocalFootprints: Sendable {
  /// How many objects are remembered at most, with eight bytes each, and some for each changeset.
  static let limit = 1 << 17

  private var ident = SaltedFileIdent.none
  /// Entries after the one and up to the other position are known.
  private var known: (after: Int64, through: Int64) = (0, 0)
  private var entries: ArraySlice<(position: Int64, footprint: Footprint)> = []

  /// The positions of the changesets after `base` that may meet `incoming`, ascending.
  ///
  /// - Parameter ident: who the file is. With another ident its history is another one.
  /// - Complexity: O(*n* log *m*) in the changesets after `base` and the objects of `incoming`.
  mutating func positions(
    after base: Int64, meeting incoming: @autoclosure () throws -> Footprint, in history: HistoryTail,
    of ident: SaltedFileIdent
  ) throws -> [Int64] {
    guard let last = try history.lastPosition(after: base) else { return [] }
    if ident != self.ident || base < known.after || last < known.through {
      self = LocalFootprints(ident: ident, known: (base, base))
    }
    known = (base, max(base, known.through))
    while let first = entries.first, first.position <= base { entries.removeFirst() }
    if known.through < last {
      for (position, entry) in try history.entries(after: known.through) {
        if entry.isUploadable {
          let origin = ChangesetOrigin(timestamp: entry.timestamp, file: ident.ident)
          let footprint = Footprint(try Changeset(decoding: entry.changeset, origin: origin).instructions)
          entries.append((position, footprint))
        }
        known.through = position
      }
    }
    guard !entries.isEmpty else { return [] }
    let all = try incoming()
    let near = entries.compactMap { $0.footprint.mayMeet(all) ? $0.position : nil }
    if entries.reduce(0, { $0 + $1.footprint.count + 4 }) > Self.limit { self = LocalFootprints() }
    return near
  }
}

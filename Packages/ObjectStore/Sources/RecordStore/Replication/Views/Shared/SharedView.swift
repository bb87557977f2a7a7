import ChangesetOT

/// A view that one client or many watch: what is sent to each of them for the versions that were looked at, encoded once.
struct SharedView: Sendable {
  /// The part of one version that is in the view.
  struct Piece: Sendable {
    var version: ServerVersion
    var timestamp: OriginTimestamp
    var author: FileIdent
    /// Sum of the sizes of all changesets of the history up to this one.
    var bytesThrough: UInt64
    var changeset: [UInt8]
  }

  let key: ViewKey
  /// The client files that are told of changes.
  var watchers: Set<FileIdent> = []
  /// The queries, made ready; nil until they are needed.
  var queries: RealmQueries?
  /// The classes whose objects are held, or not, because of other objects: every change of them concerns the view.
  var dependent: Set<String> = []
  /// The number of queries that stand in the matcher.
  var matchedQueries = 0
  /// The versions after `start`, up to `through`, are known: what they have for the view is in `pieces`.
  var start: ServerVersion
  var through: ServerVersion
  /// The versions after `through` that may have something for the view; the others have nothing.
  var pending: [ClosedRange<Int64>] = []
  /// Ascending by version.
  var pieces: [Piece] = []
  /// The bytes of `pieces`.
  var pieceBytes = 0

  /// A view that is known from a version on.
  init(_ key: ViewKey, from version: ServerVersion) {
    self.key = key
    start = version
    through = version
  }

  /// Beyond this many ranges they become one: a view that nobody reads costs no memory for what it misses.
  private static let mostRanges = 16

  /// Records that a commit may have something for the view.
  mutating func concern(_ versions: ClosedRange<Int64>) {
    if let last = pending.last, last.upperBound + 1 == versions.lowerBound {
      pending[pending.count - 1] = last.lowerBound...versions.upperBound
    } else {
      pending.append(versions)
    }
    if pending.count > Self.mostRanges, let first = pending.first {
      pending = [first.lowerBound...versions.upperBound]
    }
  }

  /// The position of the first piece after a version. O(log *n*).
  func firstPiece(after version: ServerVersion) -> Int {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].version <= version { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// A piece by its position; nil behind the last one.
  func piece(at position: Int) -> Piece? { pieces.indices.contains(position) ? pieces[position] : nil }

  /// Forgets what is known of versions; clients behind `through` are looked at one by one again.
  ///
  /// - Returns: the bytes that this freed.
  mutating func forgetPieces() -> Int {
    defer { (pieces, pieceBytes, start) = ([], 0, through) }
    return pieceBytes
  }

  /// Goes on from a version on; those before are no longer kept.
  mutating func clip(to base: ServerVersion) {
    (start, through) = (base, base)
    let first = Int64(base.rawValue) + 1
    pending = pending.compactMap { $0.upperBound < first ? nil : max($0.lowerBound, first)...$0.upperBound }
  }
}

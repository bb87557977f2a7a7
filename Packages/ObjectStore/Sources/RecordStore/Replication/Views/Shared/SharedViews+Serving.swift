import ChangesetOT
import StorageEngine

/// One version of a realm to read views from.
struct ViewSource {
  let history: ServerHistory
  let state: ServerState
  let readView: ReadView
}

/// The changes that clients are sent.
extension SharedViews {
  /// Entries for one client, and how far they reach.
  struct Part {
    var entries: [DownloadEntry] = []
    var reached: DownloadCursor
    /// Sum of the sizes of all changesets up to the last version that was looked at.
    var bytesThrough: UInt64 = 0
    private(set) var bytes = 0

    init(from cursor: DownloadCursor) { reached = cursor }

    mutating func append(
      _ changeset: [UInt8], at timestamp: OriginTimestamp, by author: FileIdent, bytesThrough: UInt64
    ) {
      guard !changeset.isEmpty else { return }
      entries.append(
        DownloadEntry(cursor: reached, timestamp: timestamp, origin: author, changeset: changeset))
      bytes += changeset.count
      self.bytesThrough = bytesThrough
    }
  }

  /// A distance in versions over which a view is made known backwards, for a client that comes with an older cursor.
  private static let longestWayBack: UInt64 = 4_096
  /// The bytes of pieces that such a way may have.
  private static let mostBytesBack = 1 << 20

  /// The changes that a client is sent after its cursor; at the end of the history it watches the view. Nil when the view is not the
  /// same for all clients, or when its objects do not decide alone: it is then looked at for each.
  ///
  /// - Parameters:
  ///   - base: the version after which the past is known; the cursor is not before it.
  ///   - source: of the newest version, which is judged.
  /// - Throws: `QueryRefusal` for text that is no set of queries.
  mutating func part(
    for ident: FileIdent, from cursor: DownloadCursor, _ set: QuerySet, _ key: ViewKey, _ source: ViewSource,
    base: ServerVersion, byteLimit: Int
  ) throws -> Part? {
    guard key.user == nil else { return nil }
    let end = source.state.current
    if matcher == nil { revision = source.readView.catalog.revision }
    let place = view(of: ident, key) ?? self.place(key, from: cursor.server)
    clip(place, to: base)
    do {
      guard try queries(of: place, set, source.readView).dependent.isEmpty else {
        removeIfUnwatched(place)
        return nil
      }
      var part = Part(from: cursor)
      if cursor.server < end {
        if let start = views[place]?.start, cursor.server < start {
          try extendBack(place, to: cursor.server, set, source)
        }
        if mayHaveWritten(ident, after: cursor.server) || cursor.server < views[place]?.start ?? end {
          try walk(&part, for: ident, place, set, source, byteLimit: byteLimit)
        } else {
          try take(&part, place, set, source, byteLimit: byteLimit)
        }
      }
      if part.reached.server >= end {
        watch(place, by: ident, in: source.readView)
      } else {
        forget(ident)
        removeIfUnwatched(place)
      }
      trim(place)
      return part
    } catch {
      forget(ident)
      removeIfUnwatched(place)
      throw error
    }
  }

  /// Takes pieces for a client that wrote nothing in the range.
  private mutating func take(
    _ part: inout Part, _ place: Int, _ set: QuerySet, _ source: ViewSource, byteLimit: Int
  ) throws {
    let end = source.state.current
    while true {
      // Pieces that became known may lie before the cursor, too.
      var position = views[place]?.firstPiece(after: part.reached.server) ?? 0
      while let piece = views[place]?.piece(at: position) {
        part.reached.server = piece.version
        part.append(piece.changeset, at: piece.timestamp, by: piece.author, bytesThrough: piece.bytesThrough)
        position += 1
        if part.bytes >= byteLimit {
          if piece.version == end { part.reached.server = end }
          return
        }
      }
      guard let through = views[place]?.through, through < end else { break }
      try extend(place, to: end, set, source, byteLimit: byteLimit - part.bytes)
    }
    part.reached.server = max(part.reached.server, end)
  }

  /// Looks at every version for a client that wrote some of them, or that comes from before the view is known.
  private mutating func walk(
    _ part: inout Part, for ident: FileIdent, _ place: Int, _ set: QuerySet, _ source: ViewSource, byteLimit: Int
  ) throws {
    let (start, end) = (part.reached.server, source.state.current)
    let shared = views[place]?.start ?? end
    let past = try self.past.states(
      after: start, through: end, of: source.history.file.store.log(InverseLog.entries))
    var changes = ViewChanges(
      of: ident, try queries(of: place, set, source.readView), past, since: start, through: source.state.current, nil)
    while part.reached.server < end {
      let position = Int64(part.reached.server.rawValue) + 1
      for entry in try source.history.logged(
        in: position...Int64(end.rawValue), byteLimit: max(byteLimit - part.bytes, 1))
      {
        let version = ServerVersion(part.reached.server.rawValue + 1)
        part.reached.server = version
        part.bytesThrough = entry.bytesThrough
        if entry.source == ident || version <= shared {
          let isOwn = entry.source == ident && !entry.isPrivate
          if isOwn { part.reached.client = max(part.reached.client, entry.sourceVersion) }
          let changeset = try changes.changeset(of: entry, at: version, in: source.readView)
          part.append(
            changeset, at: entry.timestamp, by: isOwn ? .server : entry.author.file, bytesThrough: entry.bytesThrough)
        } else {
          while let through = views[place]?.through, through < version {
            try extend(place, to: end, set, source, byteLimit: byteLimit)
          }
          let number = views[place]?.firstPiece(after: version.before) ?? 0
          if let piece = views[place]?.piece(at: number), piece.version == version {
            part.append(piece.changeset, at: piece.timestamp, by: piece.author, bytesThrough: piece.bytesThrough)
          }
        }
        if part.bytes >= byteLimit { return }
      }
    }
  }

  // MARK: Looking at versions

  /// Makes a view known up to a version, or until its new pieces have this many bytes.
  private mutating func extend(
    _ place: Int, to version: ServerVersion, _ set: QuerySet, _ source: ViewSource, byteLimit: Int
  ) throws {
    guard let range = views[place]?.pending.first, range.lowerBound <= Int64(version.rawValue) else {
      views[place]?.through = version
      return
    }
    let end = ServerVersion(min(UInt64(range.upperBound), version.rawValue))
    let found = try pieces(
      of: place, after: ServerVersion(UInt64(range.lowerBound) - 1), through: end, set, source, byteLimit: byteLimit)
    views[place]?.pieces += found.pieces
    views[place]?.through = found.reached
    views[place]?.pending.removeFirst()
    if Int64(found.reached.rawValue) < range.upperBound {
      views[place]?.pending.insert(Int64(found.reached.rawValue) + 1...range.upperBound, at: 0)
    }
    keep(found.pieces.reduce(0) { $0 + $1.changeset.count }, in: place)
  }

  /// Makes a view known from an older version on, unless that is much.
  private mutating func extendBack(
    _ place: Int, to version: ServerVersion, _ set: QuerySet, _ source: ViewSource
  ) throws {
    guard let start = views[place]?.start, start.rawValue - version.rawValue <= Self.longestWayBack else { return }
    let found = try pieces(
      of: place, after: version, through: start, set, source, byteLimit: Self.mostBytesBack)
    guard found.reached == start else { return }
    views[place]?.pieces.insert(contentsOf: found.pieces, at: 0)
    views[place]?.start = version
    keep(found.pieces.reduce(0) { $0 + $1.changeset.count }, in: place)
  }

  /// The pieces that versions have for a view.
  private mutating func pieces(
    of place: Int, after start: ServerVersion, through end: ServerVersion, _ set: QuerySet, _ source: ViewSource,
    byteLimit: Int
  ) throws -> (pieces: [SharedView.Piece], reached: ServerVersion) {
    let past = try self.past.states(
      after: start, through: source.state.current, of: source.history.file.store.log(InverseLog.entries))
    var changes = ViewChanges(
      of: nil, try queries(of: place, set, source.readView), past, since: start, through: source.state.current, nil)
    var found: [SharedView.Piece] = []
    var bytes = 0
    var reached = start
    while reached < end {
      for entry in try source.history.logged(
        in: Int64(reached.rawValue) + 1...Int64(end.rawValue), byteLimit: 1 << 20)
      {
        reached = ServerVersion(reached.rawValue + 1)
        let changeset = try changes.changeset(
          of: entry, at: reached, in: source.readView, decoded: try instructions(of: entry, at: reached))
        guard !changeset.isEmpty else { continue }
        bytes += changeset.count
        found.append(
          SharedView.Piece(
            version: reached, timestamp: entry.timestamp, author: entry.author.file,
            bytesThrough: entry.bytesThrough, changeset: changeset))
        if bytes >= byteLimit { return (found, reached) }
      }
    }
    return (found, reached)
  }

  /// The instructions of an entry; those of the versions that were judged last are kept for the views to come.
  private mutating func instructions(of entry: ServerLogEntry, at version: ServerVersion) throws -> [Instruction] {
    let position = Int64(version.rawValue)
    if let known = decoded[position] { return known }
    let found = try Changeset(decoding: entry.changeset, origin: entry.author).instructions
    if entry.changeset.count <= Self.mostBytesDecoded, decoded.count < Self.mostVersionsDecoded {
      decoded[position] = found
    }
    return found
  }

  private static let mostBytesDecoded = 4_096
  private static let mostVersionsDecoded = 256
}

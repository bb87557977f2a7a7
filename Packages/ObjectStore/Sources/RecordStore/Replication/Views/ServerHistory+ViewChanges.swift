import ChangesetOT
import Permissions
import StorageEngine

/// The changes of views: what a scan is made of, and how far it reaches.
extension ServerHistory {
  /// The inverses after a version.
  ///
  /// - Throws: ``TrimmedHistoryError`` when they are no longer known.
  private func pastStates(
    after version: ServerVersion, _ state: ServerState, in reader: any StorageReader
  ) throws -> PastStates {
    guard let since = try InverseLog.since(in: reader) else { throw TrimmedHistoryError(base: state.current) }
    let base = max(since, state.base)
    guard version >= base else { throw TrimmedHistoryError(base: base) }
    guard version < state.current else { return PastStates() }
    return try PastStates(
      try file.store.log(InverseLog.entries).entries(
        in: Int64(version.rawValue) + 1...Int64(state.current.rawValue)))
  }

  /// The changes of a view after a version: all that are kept, or as many as fit a message when they must come at once.
  ///
  /// - Parameters:
  ///   - held: the scope that the client's file was filled with.
  ///   - scope: the scope that it is to be filled with.
  /// - Throws: ``TrimmedHistoryError`` when they are no longer known.
  func changes(
    of ident: FileIdent, _ set: QuerySet, _ held: ViewScope, _ scope: ViewScope, _ readView: ReadView,
    after start: ServerVersion, _ state: ServerState, through last: ServerVersion? = nil
  ) throws -> ViewChanges {
    let past = try pastStates(after: start, state, in: readView.reader)
    let evaluator = ViewEvaluator(
      readView, past, current: state.current, permissions: try permissionState(state, in: readView), memory: views)
    let newest = try evaluator.queries(set, scope, at: state.current)
    let access = scope.access
    let touched =
      access == nil || start >= state.current
      ? [] : try versionsTouchingPermissions(in: Int64(start.rawValue) + 1...Int64(state.current.rawValue))
    /// Whether all classes have to be asked at both ends, and whether the user may have been without read in between.
    func roles(through end: ServerVersion) throws -> (areMoved: Bool, areInterrupted: Bool) {
      let known = touched.filter { $0.version <= end }
      let touches = known.reduce(into: PermissionTouches()) { $0.add($1.touches) }
      let areInterrupted =
        try held.lists != scope.lists || held.access?.user != access?.user
        || !evaluator.isSettled(touches, since: start)
        || evaluator.interruptsRoles(of: access, from: start, to: end, known)
      return (
        try areInterrupted || held != scope || evaluator.changesRoles(of: access, from: start, to: end, touches),
        areInterrupted
      )
    }
    var (isWhole, isInterrupted) = try roles(through: state.current)
    guard isWhole || !newest.dependent.isEmpty else {
      return ViewChanges(of: ident, newest, past, since: start, through: state.current, nil)
    }
    // The fields that made a class fit are there at the end of the history.
    let end = try last ?? (held.unfit == scope.unfit ? messageEnd(after: start, through: state.current) : state.current)
    if end < state.current {
      // Versions behind the message count as well: single objects are looked at with the entries of now.
      let roles = try roles(through: end)
      (isWhole, isInterrupted) = (isWhole || roles.areMoved, isInterrupted || roles.areInterrupted)
    }
    let queries = end < state.current ? try evaluator.queries(set, scope, at: end) : newest
    let before =
      try isWhole
      ? evaluator.content(set, held, isWhole: true, at: start) : evaluator.content(queries, held, at: start)
    let move =
      isWhole
      ? ContentMove(
        before: before, after: try evaluator.content(set, scope, isWhole: true, at: end), isWhole: true)
      : try evaluator.move(queries, scope, from: before, at: start, to: end)
    var rights = isWhole ? try evaluator.permissions(of: held.access, at: start) : queries.permissions
    rights?.knownLists = held.lists
    return ViewChanges(
      of: ident, queries, past, since: start, through: end, move, rightsBefore: rights, isInterrupted: isInterrupted)
  }

  /// The version up to which changes are sent that must come in one message: they hold about ``viewMessageSize`` bytes.
  private func messageEnd(after start: ServerVersion, through end: ServerVersion) throws -> ServerVersion {
    guard start < end else { return end }
    func bytes(through version: UInt64) throws -> UInt64 {
      try logged(in: Int64(version)...Int64(version), byteLimit: 1).first?.bytesThrough ?? 0
    }
    let first = start.rawValue + 1
    let limit = try bytes(through: first) + Self.viewMessageSize
    guard try bytes(through: end.rawValue) > limit else { return end }
    // The last version within the limit.
    var (low, high) = (first, end.rawValue)
    while low + 1 < high {
      let middle = (low + high) / 2
      if try bytes(through: middle) <= limit { low = middle } else { high = middle }
    }
    return ServerVersion(low)
  }

  /// Bytes of history that go into one message to a view whose content depends on more than its own objects.
  private static let viewMessageSize: UInt64 = 4 << 20

  /// Entries of a scan, and their sizes.
  struct ScannedPart {
    var entries: [DownloadEntry] = []
    var bytes = 0
    /// Sum of the sizes of all changesets up to the last one that was looked at.
    var bytesThrough: UInt64 = 0

    mutating func append(_ entry: DownloadEntry) {
      entries.append(entry)
      bytes += entry.changeset.count
    }
  }

  /// Adds changes from a cursor on until the part is full, or all that must come at once; moves the cursor.
  func collect(
    _ changes: inout ViewChanges, in readView: ReadView, from reached: inout DownloadCursor, _ part: inout ScannedPart,
    byteLimit: Int
  ) throws {
    let end = changes.end
    // The content is closed once.
    let isOpen = changes.move != nil && reached.server == changes.start
    let byteLimit = changes.move == nil ? byteLimit : .max
    while reached.server < end, part.bytes < byteLimit {
      let position = Int64(reached.server.rawValue) + 1
      for entry in try logged(
        in: position...Int64(end.rawValue), byteLimit: max(min(byteLimit, 1 << 20) - part.bytes, 1))
      {
        reached.server = ServerVersion(reached.server.rawValue + 1)
        part.bytesThrough = entry.bytesThrough
        let isOwn = entry.source == changes.ident && !entry.isPrivate
        if isOwn { reached.client = max(reached.client, entry.sourceVersion) }
        let changeset = try changes.changeset(of: entry, at: reached.server, in: readView)
        if let ident = changes.ident, !changes.flips.isEmpty {
          views.note(changes.flips, sentTo: ident, at: reached.server, since: changes.start)
        }
        guard !changeset.isEmpty else { continue }
        part.append(
          DownloadEntry(
            cursor: reached, timestamp: entry.timestamp, origin: isOwn ? .server : entry.author.file,
            changeset: changeset))
        if part.bytes >= byteLimit { return }
      }
    }
    guard isOpen else { return }
    let (pieces, flips) = try changes.closing(in: readView)
    if let ident = changes.ident { views.note(flips, sentTo: ident, at: end, since: changes.start) }
    for piece in pieces {
      part.append(DownloadEntry(cursor: reached, timestamp: OriginTimestamp(0), origin: .server, changeset: piece))
    }
  }
}

public import ChangesetOT
import StorageEngine

extension ServerHistory {
  /// The history that a client with a view is to be sent, from its cursor on: what its queries select, and what comes into
  /// them or leaves them.
  ///
  /// While the queries stay the same, the scan has the state `steady` and is what ``scan(for:from:byteLimit:)`` is for
  /// clients without queries. A scan from version 0, and one whose `wanted` set is not the `held` one, is a bootstrap: a run
  /// of scans that are asked for with the same view and the cursor of the scan before, the last of which has the state
  /// `last` and the cursor at which `wanted` is held. Their entries count only all together.
  ///
  /// A session asks for a scan before it hands in uploads, so that these are judged by the view that the client has.
  ///
  /// - Parameters:
  ///   - ident: the receiving client.
  ///   - cursor: where its previous scan stopped.
  ///   - view: the queries of the client at the cursor, and those that it asks for.
  ///   - byteLimit: stop adding when this many bytes are collected; at least one changeset is taken.
  /// - Throws: `QueryRefusal` when a set cannot be served; ``TrimmedHistoryError`` when the past of the client's objects is no
  ///   longer kept, so that its file must be reset; ``RecordStoreError`` when the file cannot be read or written.
  /// - Complexity: O(*n*) in the bytes of the versions after the cursor, and in the objects that match of a bootstrap.
  public func viewScan(
    for ident: FileIdent, from cursor: DownloadCursor, view: ViewRequest, byteLimit: Int
  ) throws -> DownloadScan {
    try translatingErrors {
      if let bootstrap = takeBootstrap(of: ident) {
        if bootstrap.view == view, bootstrap.version == cursor.server {
          return try scan(bootstrap, of: ident, byteLimit: byteLimit)
        }
        // Another one takes its place.
      }
      if view.isBootstrap || cursor.server == .zero {
        return try scan(try beginBootstrap(of: ident, from: cursor, view), of: ident, byteLimit: byteLimit)
      }
      return try steadyScan(for: ident, from: cursor, view.held, byteLimit: byteLimit)
    }
  }

  /// Whether a bootstrap of this client was begun and is not at its end: the next scan goes on with it.
  public func hasViewBootstrap(for ident: FileIdent) -> Bool { bootstraps.withLock { $0[ident] != nil } }

  /// Gives up a bootstrap that was begun; the next scan begins anew. To be called when a session begins or ends: what a client
  /// has of an unfinished bootstrap it forgets.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  public func forgetView(of ident: FileIdent) throws {
    guard takeBootstrap(of: ident) != nil else { return }
    try file.write(isRecorded: false) { session in
      var stages = try ViewStages(of: ident, in: session.transaction)
      stages.giveUp()
      try stages.store(of: ident, in: session.transaction)
    }
  }

  private func takeBootstrap(of ident: FileIdent) -> ViewBootstrap? {
    bootstraps.withLock { $0.removeValue(forKey: ident) }
  }

  // MARK: Changes

  private func steadyScan(
    for ident: FileIdent, from cursor: DownloadCursor, _ set: QuerySet, byteLimit: Int
  ) throws -> DownloadScan {
    let snapshot = try file.store.latestSnapshot()
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    var stages = try ViewStages(of: ident, in: snapshot)
    if stages.note(set, at: cursor.server) {
      try file.write(isRecorded: false) { try stages.store(of: ident, in: $0.transaction) }
    }
    let readView = ReadView(snapshot, try file.catalog(of: snapshot))
    var changes = try changes(of: ident, set, readView, after: cursor.server, state)
    var reached = cursor
    var part = ScannedPart()
    try collect(&changes, in: readView, from: &reached, through: state.current, &part, byteLimit: byteLimit)
    let client = try ClientFileTable.file(ident, in: snapshot)
    let reachedEnd = reached.server >= state.current
    return DownloadScan(
      progress: SyncProgress(latestServerVersion: state.salted, download: reached, upload: client?.upload ?? .zero),
      remainingBytes: reachedEnd ? 0 : Int(clamping: state.bytes - min(state.bytes, part.bytesThrough)),
      reachedEnd: reachedEnd, isPrivate: true, batch: DownloadBatch(query: set.version, state: .steady),
      entries: part.entries)
  }

  /// The changes of a view after a version.
  ///
  /// - Throws: ``TrimmedHistoryError`` when they are no longer known.
  private func changes(
    of ident: FileIdent, _ set: QuerySet, _ readView: ReadView, after version: ServerVersion, _ state: ServerState
  ) throws -> ViewChanges {
    guard let since = try InverseLog.since(in: readView.reader) else { throw TrimmedHistoryError(base: state.current) }
    let base = max(since, state.base)
    guard version >= base else { throw TrimmedHistoryError(base: base) }
    let queries = try RealmQueries(set, readView)
    var items: [LogEntry] = []
    if version < state.current {
      items = try file.store.log(InverseLog.entries).entries(
        in: Int64(version.rawValue) + 1...Int64(state.current.rawValue))
    }
    return ViewChanges(of: ident, queries, try PastStates(items), since: version)
  }

  /// Entries of a scan, and their sizes.
  private struct ScannedPart {
    var entries: [DownloadEntry] = []
    var bytes = 0
    /// Sum of the sizes of all changesets up to the last one that was looked at.
    var bytesThrough: UInt64 = 0

    mutating func append(_ entry: DownloadEntry) {
      entries.append(entry)
      bytes += entry.changeset.count
    }
  }

  /// Adds changes from a cursor on until the part is full; moves the cursor.
  private func collect(
    _ changes: inout ViewChanges, in readView: ReadView, from reached: inout DownloadCursor, through end: ServerVersion,
    _ part: inout ScannedPart, byteLimit: Int
  ) throws {
    while reached.server < end, part.bytes < byteLimit {
      let position = Int64(reached.server.rawValue) + 1
      for entry in try logged(in: position...Int64(end.rawValue), byteLimit: max(byteLimit - part.bytes, 1)) {
        reached.server = ServerVersion(reached.server.rawValue + 1)
        part.bytesThrough = entry.bytesThrough
        let isOwn = entry.source == changes.ident && !entry.isPrivate
        if isOwn { reached.client = max(reached.client, entry.sourceVersion) }
        let changeset = try changes.changeset(of: entry, at: reached.server, in: readView)
        guard !changeset.isEmpty else { continue }
        part.append(
          DownloadEntry(
            cursor: reached, timestamp: entry.timestamp, origin: isOwn ? .server : entry.author.file,
            changeset: changeset))
        if part.bytes >= byteLimit { return }
      }
    }
  }

  // MARK: Bootstraps

  /// Begins a bootstrap at the newest version, and remembers that, durably.
  private func beginBootstrap(
    of ident: FileIdent, from cursor: DownloadCursor, _ view: ViewRequest
  ) throws -> ViewBootstrap {
    let isFirst = cursor.server == .zero
    // A set that cannot be served leaves everything as it is.
    _ = try RealmQueries(view.wanted, file.latestReadView())
    let session = try WriteSession(file, isRecorded: false)
    let snapshot: Snapshot
    var version = ServerVersion.zero
    do {
      let transaction = session.transaction
      guard let state = try ServerState(in: transaction) else { throw ServerHistory.unprepared }
      version = state.current
      if version <= cursor.server {
        // Whether an upload was made before the bootstrap or after it is told by its base.
        var log = ServerLog(transaction, incarnation: incarnation)
        version = try log.append(
          [], timestamp: file.options.clock(), origin: .none, source: .none, sourceVersion: .zero)
        try log.finish()
      }
      if try InverseLog.since(in: transaction) == nil { try InverseLog.begin(after: version, in: transaction) }
      var stages = try ViewStages(of: ident, in: transaction)
      if isFirst {
        stages = ViewStages()
      } else {
        _ = stages.note(view.held, at: cursor.server)
      }
      stages.begin(view.wanted, at: version)
      try stages.store(of: ident, in: transaction)
      if isFirst, var client = try ClientFileTable.file(ident, in: transaction) {
        client.bootstrap = version
        client.lastSeen = max(client.lastSeen, file.options.clock())
        try ClientFileTable.update(ident, client, transaction)
      }
      snapshot = try session.commit()
    } catch {
      session.rollback()
      throw error
    }
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    let catalog = try file.catalog(of: snapshot)
    let changes =
      isFirst
      ? nil : try changes(of: ident, view.held, ReadView(snapshot, catalog), after: cursor.server, state)
    return try ViewBootstrap(view, from: cursor, to: version, snapshot, catalog, changes)
  }

  /// The next part of a bootstrap.
  private func scan(_ running: ViewBootstrap, of ident: FileIdent, byteLimit: Int) throws -> DownloadScan {
    var bootstrap = running
    let snapshot = try file.store.latestSnapshot()
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    let client = try ClientFileTable.file(ident, in: snapshot)
    var part = ScannedPart()
    if var changes = bootstrap.changes {
      try collect(
        &changes, in: bootstrap.readView, from: &bootstrap.reached, through: bootstrap.version, &part,
        byteLimit: byteLimit)
      bootstrap.changes = changes
    } else {
      bootstrap.reached = DownloadCursor(server: bootstrap.version, client: bootstrap.reached.client)
    }
    var isDone = false
    while part.bytes < byteLimit, bootstrap.reached.server == bootstrap.version {
      guard let piece = try bootstrap.next() else {
        isDone = true
        break
      }
      part.append(
        DownloadEntry(
          cursor: bootstrap.reached, timestamp: OriginTimestamp(0), origin: .server, changeset: piece))
    }
    if !isDone { bootstraps.withLock { [bootstrap] in $0[ident] = bootstrap } }
    let cursor = DownloadCursor(server: bootstrap.version, client: bootstrap.reached.client)
    return DownloadScan(
      progress: SyncProgress(latestServerVersion: state.salted, download: cursor, upload: client?.upload ?? .zero),
      reachedEnd: isDone && state.current == bootstrap.version, isPrivate: true,
      batch: DownloadBatch(query: bootstrap.view.wanted.version, state: isDone ? .last : .moreToCome),
      entries: part.entries)
  }
}

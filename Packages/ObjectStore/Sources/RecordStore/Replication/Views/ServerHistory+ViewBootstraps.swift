import ChangesetOT
import Permissions
import StorageEngine

/// Bootstraps: the way of a client's file from one subscription set to another.
extension ServerHistory {
  /// - Throws: `QueryRefusal` for a set that cannot be served, or that asks about what its user may not read.
  private func checkIsServable(_ set: QuerySet, _ access: ViewAccess?) throws {
    let snapshot = try file.store.latestSnapshot()
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    let readView = ReadView(snapshot, try file.catalog(of: snapshot))
    let evaluator = ViewEvaluator(
      readView, PastStates(), current: state.current, permissions: try permissionState(state, in: readView), memory: nil
    )
    try evaluator.queries(set, ViewScope(access: access), at: state.current).checkIsServable()
  }

  /// Begins a bootstrap at the newest version, and remembers that, durably.
  func beginBootstrap(
    of ident: FileIdent, from cursor: DownloadCursor, _ view: ViewRequest, _ access: ViewAccess?
  ) throws -> ViewBootstrap {
    let isFirst = cursor.server == .zero
    // A set that cannot be served leaves everything as it is. An empty file may come with one that it held before a reset.
    if view.isBootstrap { try checkIsServable(view.wanted, access) }
    let session = try WriteSession(file, isRecorded: false)
    let snapshot: Snapshot
    var version = ServerVersion.zero
    var held = ViewScope(access: access)
    var wanted = held
    do {
      let transaction = session.transaction
      version = try self.version(behind: cursor.server, in: transaction)
      if try InverseLog.since(in: transaction) == nil { try InverseLog.begin(after: version, in: transaction) }
      var stages = try ViewStages(of: ident, in: transaction)
      let readView = session.writer.readView
      if access != nil {
        held.lists = ViewScope.lists(in: readView.catalog)
        wanted.lists = held.lists
      }
      wanted.unfit = Set(try RealmQueries(view.wanted, readView).unfit.keys)
      if isFirst {
        stages = ViewStages()
      } else {
        held.unfit = Set(try RealmQueries(view.held, readView).unfit.keys)
        _ = stages.note(view.held, held, at: cursor.server)
        _ = stages.note(lists: held.lists)
        held = stages.held(at: cursor.server)?.scope ?? held
      }
      stages.begin(view.wanted, wanted, at: version)
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
    let readView = ReadView(snapshot, try file.catalog(of: snapshot))
    let permissions = try permissionState(state, in: readView)
    let evaluator = ViewEvaluator(readView, PastStates(), current: version, permissions: permissions, memory: nil)
    let changes =
      isFirst
      ? nil
      : try changes(
        of: ident, view.held, held, ViewScope(access: access, unfit: held.unfit, lists: wanted.lists),
        readView, after: cursor.server, state,
        through: version)
    return try ViewBootstrap(
      view, from: cursor, to: version, snapshot, readView.catalog, changes,
      wanted: try evaluator.queries(view.wanted, wanted, at: version))
  }

  /// The newest version, for what a client is sent beside the changes of others: an empty one is appended when the client has the
  /// newest. Whether an upload was made before that came or after it is told by its base.
  ///
  /// - Parameter cursor: the version that the client has.
  func version(behind cursor: ServerVersion, in transaction: WriteTransaction) throws -> ServerVersion {
    guard let state = try ServerState(in: transaction) else { throw ServerHistory.unprepared }
    guard state.current <= cursor else { return state.current }
    var log = ServerLog(transaction, incarnation: incarnation)
    let version = try log.append(
      [], timestamp: file.options.clock(), origin: .none, source: .none, sourceVersion: .zero)
    try log.finish()
    return version
  }

  /// The next part of a bootstrap.
  func scan(_ running: ViewBootstrap, of ident: FileIdent, byteLimit: Int) throws -> DownloadScan {
    var bootstrap = running
    let snapshot = try file.store.latestSnapshot()
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    let client = try ClientFileTable.file(ident, in: snapshot)
    var part = ScannedPart()
    if var changes = bootstrap.changes {
      try collect(&changes, in: bootstrap.readView, from: &bootstrap.reached, &part, byteLimit: byteLimit)
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

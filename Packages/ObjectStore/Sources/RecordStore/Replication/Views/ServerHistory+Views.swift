public import ChangesetOT
import Permissions
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
  /// Before a bootstrap begins the client has what undoes its uploads: while a version after the cursor does, the answer is a
  /// scan of the held set instead, with the state `steady`. A stock client reports undone writes with changes only, and ends
  /// the process at the next change when a bootstrap brought them.
  ///
  /// A session asks for a scan before it hands in uploads, so that these are judged by the view that the client has.
  ///
  /// - Parameters:
  ///   - ident: the receiving client.
  ///   - cursor: where its previous scan stopped.
  ///   - view: the queries of the client at the cursor, and those that it asks for.
  ///   - access: the user, whose roles inside the realm are applied; nil when none are.
  ///   - byteLimit: stop adding when this many bytes are collected; at least one changeset is taken.
  /// A set that the client asks for must fit the classes that there are. One that it holds may do so no longer, or have come before its
  /// classes: a class that it does not fit selects nothing, until it does.
  ///
  /// - Throws: `QueryRefusal` when a set that is asked for cannot be served; ``TrimmedHistoryError`` when the past of the client's objects is no
  ///   longer kept, so that its file must be reset; ``RecordStoreError`` when the file cannot be read or written.
  /// - Complexity: O(*n*) in the bytes of the versions after the cursor, and in the objects that match of a bootstrap.
  public func viewScan(
    for ident: FileIdent, from cursor: DownloadCursor, view: ViewRequest, access: ViewAccess? = nil, byteLimit: Int
  ) throws -> DownloadScan {
    try translatingErrors {
      var access = access
      access?.mayHoldWhole = false
      if let bootstrap = takeBootstrap(of: ident) {
        if bootstrap.view == view, bootstrap.version == cursor.server {
          return try scan(bootstrap, of: ident, byteLimit: byteLimit)
        }
        // Another one takes its place.
      }
      if view.isBootstrap, try isOwedUndoing(ident, after: cursor.server) {
        return try steadyScan(for: ident, from: cursor, view.held, access, byteLimit: byteLimit)
      }
      if view.isBootstrap || cursor.server == .zero {
        forgetViewWatcher(ident)
        return try scan(try beginBootstrap(of: ident, from: cursor, view, access), of: ident, byteLimit: byteLimit)
      }
      return try steadyScan(for: ident, from: cursor, view.held, access, byteLimit: byteLimit)
    }
  }

  /// Whether a bootstrap of this client was begun and is not at its end: the next scan goes on with it.
  public func hasViewBootstrap(for ident: FileIdent) -> Bool { bootstraps.withLock { $0[ident] != nil } }

  /// Gives up a bootstrap that was begun; the next scan begins anew. To be called when a session of a client begins that
  /// forgets what it has of an unfinished bootstrap when its connection breaks.
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

  /// Gives up a bootstrap that a client was being sent when its former session ended, by this process or by one before it:
  /// one whose set the server takes for held from a later version on than that of the client's cursor. To be called before a
  /// scan that goes on with no bootstrap, for a client that keeps the parts it has until its session is suspended.
  ///
  /// - Parameter version: that of the client's cursor.
  /// - Returns: whether there was one; not so again until the next one begins.
  /// - Throws: ``RecordStoreError`` when the file cannot be read or written.
  /// - Complexity: O(1) for a client that steady scans have brought to the end of the history.
  public func breakOffBootstrap(of ident: FileIdent, after version: ServerVersion) throws -> Bool {
    try translatingErrors {
      _ = takeBootstrap(of: ident)
      // Watched since a scan of this session.
      if sharedViews.withLock({ $0.watches(ident) }) { return false }
      guard let last = try ViewStages(of: ident, in: file.store).current, last.version > version else { return false }
      try file.write(isRecorded: false) { session in
        var stages = try ViewStages(of: ident, in: session.transaction)
        stages.giveUp(after: version)
        try stages.store(of: ident, in: session.transaction)
      }
      return true
    }
  }

  /// Releases what a bootstrap that was begun keeps in memory. That it was begun stays known to ``breakOffBootstrap(of:after:)``.
  public func releaseViewBootstrap(of ident: FileIdent) { _ = takeBootstrap(of: ident) }

  func takeBootstrap(of ident: FileIdent) -> ViewBootstrap? {
    bootstraps.withLock { $0.removeValue(forKey: ident) }
  }

  // MARK: Changes

  private func steadyScan(
    for ident: FileIdent, from cursor: DownloadCursor, _ set: QuerySet, _ access: ViewAccess?, byteLimit: Int
  ) throws -> DownloadScan {
    let (source, since) = try viewSource()
    let state = source.state
    guard let since else { throw TrimmedHistoryError(base: state.current) }
    let base = max(since, state.base)
    guard cursor.server >= base else { throw TrimmedHistoryError(base: base) }
    let isBounded = try access != nil && permissionState(state, in: source.readView) != nil
    let key = ViewKey(set, access, isBounded: isBounded)
    let hasRoles = access != nil && source.readView.catalog[PermissionClass.realm.rawValue] != nil
    let (isWatched, isSettled) = try sharedViews.withLock { views in
      try views.judge(source, since: since)
      return (views.view(of: ident, key) != nil, views.isSettled(since: cursor.server))
    }
    let part: ScannedPart
    let reached: DownloadCursor
    if isWatched, isSettled, let shared = try sharedPart(for: ident, from: cursor, set, key, source, base, byteLimit) {
      (part, reached) = shared
    } else {
      let own = try ownPart(
        for: ident, from: cursor, set, access, key, source, base, byteLimit, isSettled: isSettled || !hasRoles)
      guard let own else { return try steadyScan(for: ident, from: cursor, set, access, byteLimit: byteLimit) }
      (part, reached) = own
    }
    let client = try ClientFileTable.file(ident, in: source.readView.reader)
    let reachedEnd = reached.server >= state.current
    return DownloadScan(
      progress: SyncProgress(latestServerVersion: state.salted, download: reached, upload: client?.upload ?? .zero),
      remainingBytes: reachedEnd ? 0 : Int(clamping: state.bytes - min(state.bytes, part.bytesThrough)),
      reachedEnd: reachedEnd, isPrivate: true, batch: DownloadBatch(query: set.version, state: .steady),
      entries: part.entries)
  }

  /// The changes of a view that is looked at once for all its clients; nil when it cannot be.
  private func sharedPart(
    for ident: FileIdent, from cursor: DownloadCursor, _ set: QuerySet, _ key: ViewKey, _ source: ViewSource,
    _ base: ServerVersion, _ byteLimit: Int
  ) throws -> (ScannedPart, DownloadCursor)? {
    try sharedViews.withLock { views in
      guard
        let part = try views.part(for: ident, from: cursor, set, key, source, base: base, byteLimit: byteLimit)
      else { return nil }
      return (
        ScannedPart(entries: part.entries, bytes: part.bytes, bytesThrough: part.bytesThrough), part.reached
      )
    }
  }

  /// The changes for a client that does not watch the view yet, or whose view is looked at for it alone; nil when the history
  /// got a version for them just now, to which the scan is to go.
  private func ownPart(
    for ident: FileIdent, from cursor: DownloadCursor, _ set: QuerySet, _ access: ViewAccess?, _ key: ViewKey,
    _ source: ViewSource, _ base: ServerVersion, _ byteLimit: Int, isSettled: Bool
  ) throws -> (ScannedPart, DownloadCursor)? {
    let (state, readView) = (source.state, source.readView)
    var stages = try ViewStages(of: ident, in: file.store)
    let unfit = Set(try RealmQueries(set, readView).unfit.keys)
    let scope = ViewScope(
      access: access, unfit: unfit, lists: access.map { _ in ViewScope.lists(in: readView.catalog) })
    var isNews = stages.note(set, scope, at: cursor.server)
    if stages.note(unfit: unfit) { isNews = true }
    if stages.note(lists: scope.lists) { isNews = true }
    let held = stages.held(at: cursor.server)?.scope ?? scope
    if held == scope, isSettled,
      let shared = try sharedPart(for: ident, from: cursor, set, key, source, base, byteLimit)
    {
      if isNews { try file.write(isRecorded: false) { try stages.store(of: ident, in: $0.transaction) } }
      return shared
    }
    // A user who logged in with more, or with less, is sent other objects although nothing happened.
    if held != scope, state.current == cursor.server {
      _ = try file.write(isRecorded: false) { try version(behind: cursor.server, in: $0.transaction) }
      return nil
    }
    let changes = try changes(of: ident, set, held, scope, readView, after: cursor.server, state)
    if held != scope {
      stages.begin(set, scope, at: changes.end)
      isNews = true
    }
    if isNews { try file.write(isRecorded: false) { try stages.store(of: ident, in: $0.transaction) } }
    var running = changes
    var reached = cursor
    var part = ScannedPart()
    try collect(&running, in: readView, from: &reached, &part, byteLimit: byteLimit)
    sharedViews.withLock { views in
      if reached.server >= state.current { views.watch(key, by: ident, in: readView) } else { views.forget(ident) }
    }
    return (part, reached)
  }
}

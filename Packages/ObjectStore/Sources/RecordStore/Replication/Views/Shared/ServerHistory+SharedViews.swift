public import ChangesetOT
import StorageEngine

extension ServerHistory {
  /// The clients with views for which the versions since the last call may have something: those that a steady scan brought
  /// to the end of the history, and that were not forgotten since.
  ///
  /// A client that is not in the audience stays where it is; its next scan is answered at once, with the newest version.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in the bytes of the new versions, and the queries that their objects may concern.
  public func takeViewAudience() throws -> ViewAudience {
    try translatingErrors {
      let (source, base) = try viewSource()
      return try sharedViews.withLock { views in
        if let base { try views.judge(source, since: base) }
        return views.takeAudience()
      }
    }
  }

  /// Forgets a client: it is in no audience until a scan brings it to the end of the history again. To be called when a
  /// session begins or ends.
  public func forgetViewWatcher(_ ident: FileIdent) { sharedViews.withLock { $0.forget(ident) } }

  /// The views that are watched, to be handed to the next value that serves the same file in this process; empty here from
  /// now on.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func suspendViews() throws -> SuspendedViews {
    try translatingErrors {
      let state = try viewSource().source.state
      return sharedViews.withLock { views in
        defer { views = SharedViews() }
        views.shrink()
        return SuspendedViews(views: views, salt: state.salt)
      }
    }
  }

  /// Goes on with the views that another value served. When the file is not the one that they belong to, everyone is in the
  /// next audience.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func resumeViews(_ suspended: SuspendedViews) throws {
    try translatingErrors {
      let state = try viewSource().source.state
      sharedViews.withLock { views in
        views = suspended.views
        if state.salt != suspended.salt || state.current < views.judged { views = SharedViews.unknown }
      }
    }
  }

  /// The newest version, and the version after which the past of its objects is known; nil when none is.
  func viewSource() throws -> (source: ViewSource, since: ServerVersion?) {
    let snapshot = try file.store.latestSnapshot()
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    let readView = ReadView(snapshot, try file.catalog(of: snapshot))
    return (ViewSource(history: self, state: state, readView: readView), try InverseLog.since(in: snapshot))
  }
}

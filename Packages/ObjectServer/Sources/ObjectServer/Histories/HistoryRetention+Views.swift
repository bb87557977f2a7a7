import ChangesetOT
import RecordStore
import SyncProtocol
import Synchronization

/// Scans within queries, and the bootstraps under way in them.
extension HistoryRetention {
  private static let lost = SessionFailure(
    .sessionClosed, "the bootstrap was interrupted on the server and begins anew", tryAgain: true)

  /// The next part of what the queries of a client select.
  ///
  /// A bootstrap that its client did not ask for during ``patience`` is given up.
  ///
  /// - Throws: ``SessionFailure`` when the bootstrap that the scan goes on with is gone, or when a stock client may have parts of
  ///   one that did not come to its end: the client holds what it held before, and comes back. `QueryRefusal`, `TrimmedHistoryError`, and the errors of the store.
  /// - Complexity: that of `ServerHistory.viewScan`.
  func viewScan(_ request: DownloadScanRequest, _ view: ViewRequest) throws -> DownloadScan {
    let now = history.file.options.clock()
    for file in abandonedViews(before: now) where file != request.file { history.releaseViewBootstrap(of: file) }
    if request.continuesBootstrap {
      guard history.hasViewBootstrap(for: request.file) else { throw Self.lost }
    } else if request.access?.followsLinks == false {
      // A stock client forgets what it has of an unfinished bootstrap when its session is suspended, and not when its
      // connection breaks: it would put the parts of the next one behind those.
      if try history.breakOffBootstrap(of: request.file, after: request.from.server) { throw Self.lost }
    } else {
      try history.forgetView(of: request.file)
    }
    var scan = try history.viewScan(
      for: request.file, from: request.from, view: view, access: request.access,
      byteLimit: min(request.byteBudget, policy.bootstrapMessageBytes))
    if request.access?.followsLinks == false { scan = try history.withholdPermissions(from: scan) }
    state.withLock { $0.views[request.file] = scan.batch?.state == .moreToCome ? now : nil }
    return scan
  }

  /// Takes the clients that did not go on with their bootstraps.
  private func abandonedViews(before now: OriginTimestamp) -> [FileIdent] {
    state.withLock { state in
      let files = state.views.filter { $0.value.adding(Self.patience) <= now }.keys
      for file in files { state.views[file] = nil }
      return files.sorted { $0.rawValue < $1.rawValue }
    }
  }
}

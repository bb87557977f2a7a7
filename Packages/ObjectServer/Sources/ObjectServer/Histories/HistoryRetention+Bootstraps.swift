import ChangesetOT
import RecordStore
import SyncProtocol
import Synchronization

/// Bootstraps: the state instead of the history, for clients that have nothing.
extension HistoryRetention {
  /// The time for which a bootstrap without requests is kept for its client.
  static let patience = Duration.seconds(120)

  /// Whether a bootstrap of the client file is under way.
  func hasBootstrap(of file: FileIdent) -> Bool { state.withLock { $0.bootstraps[file] != nil } }

  /// Whether the client of a bootstrap asked for a part lately: after a lost connection it goes on from there. From any
  /// thread.
  var hasLiveBootstrap: Bool {
    let now = history.file.options.clock()
    return state.withLock { state in
      state.bootstraps.values.contains { now < $0.requestedAt.adding(Self.patience) }
        || state.views.values.contains { now < $0.adding(Self.patience) }
    }
  }

  /// Ends the bootstrap of a client that acknowledged all of it.
  func acknowledged(_ version: ServerVersion, by file: FileIdent) {
    state.withLock { state in
      if let active = state.bootstraps[file], version >= active.bootstrap.version { state.bootstraps[file] = nil }
    }
  }

  /// The next part of a state; nil when the client is to be sent history.
  ///
  /// - Throws: the errors of the store.
  /// - Complexity: O(part); the first part measures the state, O(objects), unless the statistics have the measurement.
  func bootstrapScan(_ request: DownloadScanRequest) throws -> DownloadScan? {
    if let bootstrap = state.withLock({ $0.bootstraps[request.file]?.bootstrap }) {
      guard request.from.server < bootstrap.version else {
        state.withLock { $0.bootstraps[request.file] = nil }
        return nil
      }
      return try nextPart(bootstrap, request)
    }
    guard request.from == .zero, let client = try history.clientFile(request.file), client.upload == .zero else {
      return nil
    }
    guard try client.bootstrap != .zero || isStateShorter() else {
      // Half of the grace has to pass first, because the note costs a commit.
      let now = history.file.options.clock()
      if client.lastSeen < now.subtracting(policy.firstDownloadGrace / 2) {
        try history.noteFirstDownload(of: request.file)
      }
      return nil
    }
    let bootstrap = try history.bootstrap(
      of: request.file, pieceSize: policy.bootstrapPieceBytes, plan: state.withLock { $0.stats.plan })
    state.withLock { $0.stats.plan = bootstrap.plan }
    return try nextPart(bootstrap, request)
  }

  private func nextPart(_ bootstrap: ServerBootstrap, _ request: DownloadScanRequest) throws -> DownloadScan {
    var bootstrap = bootstrap
    let latest = try history.state().current
    let limit = min(request.byteBudget, policy.bootstrapMessageBytes)
    let scan = try bootstrap.scan(from: request.from, byteLimit: limit, latest: latest)
    let active = ActiveBootstrap(bootstrap: bootstrap, requestedAt: history.file.options.clock())
    state.withLock { $0.bootstraps[request.file] = active }
    return scan
  }

  private func isStateShorter() throws -> Bool {
    if try history.state().base > .zero { return true }
    let bytes = try history.historyBytes()
    guard bytes > policy.bootstrapBytes, bytes > state.withLock({ $0.stats.historyIsShortUpTo }) else { return false }
    if let plan = try history.bootstrapPlan(limit: bytes / 2, pieceSize: policy.bootstrapPieceBytes) {
      state.withLock { $0.stats.plan = plan }
      return true
    }
    // The next measurement waits until the history has doubled.
    state.withLock { $0.stats.historyIsShortUpTo = bytes * 2 }
    return false
  }
}

import ChangesetOT
import RecordStore
import SyncProtocol
import Synchronization

/// Trims one realm's history when that is due, and brings clients up with the state when that is shorter than the past.
final class HistoryKeeper: Sendable {
  /// A client that is being brought up with the state.
  private struct Bringing {
    var bootstrap: ServerBootstrap
    /// When a part of it was last asked for.
    var askedAt: OriginTimestamp
  }

  private struct State {
    var bootstraps: [FileIdent: Bringing] = [:]
    var notes = KeeperNotes()
  }

  private let history: ServerHistory
  private let upkeep: HistoryUpkeep
  private let state: Mutex<State>
  private let notes: KeptNotes

  init(_ history: ServerHistory, upkeep: HistoryUpkeep, notes: KeptNotes) {
    self.history = history
    self.upkeep = upkeep
    self.notes = notes
    state = Mutex(State(notes: notes.read()))
  }

  /// Leaves what was found out for the next time that the realm is open.
  func leaveNotes() {
    // What is known about a short history is soon found out again.
    notes.write(state.withLock { $0.notes.isWorthKeeping(from: upkeep.leastBytes) ? $0.notes : nil })
  }

  // MARK: States instead of pasts

  /// Whether the state that the client is being brought up with is at hand.
  func hasBootstrap(of file: FileIdent) -> Bool { state.withLock { $0.bootstraps[file] != nil } }

  /// Whether a client is being brought up with a state, has not acknowledged all of it, and was heard of lately: if it
  /// loses its connection now, it goes on from where it is.
  var hasLiveBootstrap: Bool {
    let now = history.file.options.clock()
    return state.withLock { state in
      state.bootstraps.values.contains { now < $0.askedAt.adding(Self.patience) }
    }
  }

  private static let patience = Duration.seconds(120)

  /// A client has everything up to a version.
  func acknowledged(_ version: ServerVersion, by file: FileIdent) {
    state.withLock { state in
      if let bringing = state.bootstraps[file], version >= bringing.bootstrap.version { state.bootstraps[file] = nil }
    }
  }

  /// The next part of a state; nil when the client is to be sent history.
  func bootstrapScan(_ request: DownloadScanRequest) throws -> DownloadScan? {
    if let bootstrap = state.withLock({ $0.bootstraps[request.file]?.bootstrap }) {
      guard request.from.server < bootstrap.version else {
        state.withLock { $0.bootstraps[request.file] = nil }
        return nil
      }
      return try next(bootstrap, request)
    }
    guard request.from == .zero, let client = try history.clientFile(request.file), client.upload == .zero else {
      return nil
    }
    guard try client.bootstrap != .zero || isStateShorter() else {
      // A commit only for those who had their ident for a good part of the grace.
      let now = history.file.options.clock()
      if client.lastSeen < now.subtracting(upkeep.firstDownloadGrace / 2) {
        try history.noteFirstDownload(of: request.file)
      }
      return nil
    }
    let bootstrap = try history.bootstrap(
      of: request.file, pieceSize: upkeep.bootstrapPieceBytes, plan: state.withLock { $0.notes.plan })
    state.withLock { $0.notes.plan = bootstrap.plan }
    return try next(bootstrap, request)
  }

  private func next(
    _ bootstrap: ServerBootstrap, _ request: DownloadScanRequest
  ) throws -> DownloadScan {
    var bootstrap = bootstrap
    let latest = try history.state().current
    let limit = min(request.byteBudget, upkeep.bootstrapMessageBytes)
    let scan = try bootstrap.scan(from: request.from, byteLimit: limit, latest: latest)
    let bringing = Bringing(bootstrap: bootstrap, askedAt: history.file.options.clock())
    state.withLock { $0.bootstraps[request.file] = bringing }
    return scan
  }

  private func isStateShorter() throws -> Bool {
    if try history.state().base > .zero { return true }
    let bytes = try history.historyBytes()
    guard bytes > upkeep.bootstrapBytes, bytes > state.withLock({ $0.notes.pastIsShortUpTo }) else { return false }
    if let plan = try history.bootstrapPlan(limit: bytes / 2, pieceSize: upkeep.bootstrapPieceBytes) {
      state.withLock { $0.notes.plan = plan }
      return true
    }
    // Not to be measured again before the past has doubled.
    state.withLock { $0.notes.pastIsShortUpTo = bytes * 2 }
    return false
  }

  // MARK: Trimming

  /// Trims when the last look is long enough ago, or the history has grown by as much as it was then.
  func trimIfDue() throws {
    let now = history.file.options.clock()
    let (lookedAt, bytesThen) = state.withLock { ($0.notes.lookedAt, $0.notes.bytesThen) }
    let bytes = try history.historyBytes()
    if let lookedAt, now < lookedAt.adding(upkeep.interval), bytes < 2 * max(bytesThen, upkeep.leastBytes) { return }
    if bytes >= upkeep.leastBytes {
      try history.trim(
        notSeenSince: now.subtracting(upkeep.timeToLive), grace: now.subtracting(upkeep.firstDownloadGrace))
    }
    let left = try history.historyBytes()
    state.withLock { state in
      state.notes.lookedAt = now
      state.notes.bytesThen = left
    }
  }
}

extension OriginTimestamp {
  fileprivate func adding(_ duration: Duration) -> OriginTimestamp {
    OriginTimestamp(rawValue &+ UInt64(max(0, duration / .milliseconds(1))))
  }

  fileprivate func subtracting(_ duration: Duration) -> OriginTimestamp {
    let milliseconds = UInt64(max(0, duration / .milliseconds(1)))
    return OriginTimestamp(rawValue > milliseconds ? rawValue - milliseconds : 0)
  }
}

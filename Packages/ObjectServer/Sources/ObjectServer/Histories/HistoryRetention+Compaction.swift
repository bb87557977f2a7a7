import ChangesetOT
import RecordStore
import SyncProtocol
import Synchronization

/// Compaction: less of the past, for clients that were away.
extension HistoryRetention {
  /// The most clients whose past is known not to be worth it; beyond, all of them are forgotten and looked at once more.
  private static let mostPlain = 1_000

  /// The scan of a client that is sent history: what it lacks comes in a shorter form when that saves half.
  ///
  /// - Throws: `TrimmedHistoryError`, and the errors of the store.
  /// - Complexity: that of `ServerHistory.scan`; once for each long absence O(bytes of what is lacking).
  func historyScan(_ request: DownloadScanRequest) throws -> DownloadScan {
    let current = try history.state().current.version
    let cursor = request.from.server
    if cursor > .zero, current.rawValue > cursor.rawValue &+ UInt64(max(0, policy.compactionVersions)),
      state.withLock({ ($0.plain[request.file] ?? .zero) <= cursor })
    {
      let isShorter = try history.compactPast(
        for: request.file, from: request.from, leastBytes: policy.compactionBytes, mostBytes: policy.compactionLimit)
      // Looked at once: until the client has all of this, its scans are not looked at again.
      state.withLock { state in
        if state.plain.count >= Self.mostPlain { state.plain = [:] }
        state.plain[request.file] = isShorter ? nil : current
      }
    }
    let scan = try history.scan(for: request.file, from: request.from, byteLimit: request.byteBudget)
    if scan.reachedEnd { state.withLock { $0.plain[request.file] = nil } }
    return scan
  }
}

import ChangesetOT
import StorageEngine
import Synchronization

/// Counts the local changesets that the server has not acknowledged. Each is read once, over all calls. Safe to use from any thread.
///
///     let pending = PendingUploadCounter(ClientHistory(file))
///     try pending.count()        // 3
public final class PendingUploadCounter: Sendable {
  private struct State {
    var ident = SaltedFileIdent.none
    /// Positions of the pending changesets, oldest first, from `first` on.
    var positions: [Int64] = []
    var first = 0
    /// The position up to which the history is counted.
    var through: Int64 = 0
  }
  private let history: ClientHistory
  private let state = Mutex(State())

  /// A counter over a history.
  public init(_ history: ClientHistory) { self.history = history }

  /// The number of pending changesets, as ``ClientHistory/pendingCount()``.
  ///
  /// - Complexity: O(*n*) in what was written or acknowledged since the last call.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func count() throws -> Int {
    try translatingErrors {
      let snapshot = try history.file.store.latestSnapshot()
      let known = try ClientLog.state(in: snapshot)
      let tail = HistoryTail(history.file, snapshot)
      let acknowledged = Int64(clamping: known.acknowledged.rawValue)
      // Newer entries were mostly written by this process and are in memory.
      let last = try tail.lastPosition(after: acknowledged)
      return try state.withLock { state in
        // A reset writes the history anew, under another ident.
        if last == nil || known.ident != state.ident || state.through > last ?? 0 { state = State(ident: known.ident) }
        while state.first < state.positions.count, state.positions[state.first] <= acknowledged { state.first += 1 }
        if state.first > 64, state.first * 2 > state.positions.count {
          state.positions.removeFirst(state.first)
          state.first = 0
        }
        let counted = max(state.through, acknowledged)
        if let last, last > counted {
          for item in try tail.entries(after: counted) where item.entry.isUploadable {
            state.positions.append(item.position)
          }
          state.through = last
        }
        return state.positions.count - state.first
      }
    }
  }
}

import ChangesetOT
import StorageEngine
import Synchronization

/// The local changesets that the server has not acknowledged.
public struct PendingUploads: Hashable, Sendable {
  /// None.
  public static let none = PendingUploads(changesets: 0, bytes: 0)
  /// Their number.
  public var changesets: Int
  /// The sum of their sizes as they are stored.
  public var bytes: Int

  /// A number and a size.
  public init(changesets: Int, bytes: Int) {
    self.changesets = changesets
    self.bytes = bytes
  }
}

/// Counts the local changesets that the server has not acknowledged. Each is read once, over all calls. Safe to use from any thread.
///
///     let pending = PendingUploadCounter(ClientHistory(file))
///     try pending.count().changesets        // 3
public final class PendingUploadCounter: Sendable {
  private struct State {
    var ident = SaltedFileIdent.none
    /// Positions and sizes of the pending changesets, oldest first, from `first` on.
    var entries: [(position: Int64, bytes: Int)] = []
    var first = 0
    /// The sum of the sizes from `first` on.
    var bytes = 0
    /// The position up to which the history is counted.
    var through: Int64 = 0
  }
  private let history: ClientHistory
  private let state = Mutex(State())

  /// A counter over a history.
  public init(_ history: ClientHistory) { self.history = history }

  /// The pending changesets; their number is that of ``ClientHistory/pendingCount()``.
  ///
  /// - Complexity: O(*n*) in what was written or acknowledged since the last call.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func count() throws -> PendingUploads {
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
        while state.first < state.entries.count, state.entries[state.first].position <= acknowledged {
          state.bytes -= state.entries[state.first].bytes
          state.first += 1
        }
        if state.first > 64, state.first * 2 > state.entries.count {
          state.entries.removeFirst(state.first)
          state.first = 0
        }
        let counted = max(state.through, acknowledged)
        if let last, last > counted {
          for item in try tail.entries(after: counted) where item.entry.isUploadable {
            state.entries.append((item.position, item.entry.changeset.count))
            state.bytes += item.entry.changeset.count
          }
          state.through = last
        }
        return PendingUploads(changesets: state.entries.count - state.first, bytes: state.bytes)
      }
    }
  }
}

import StorageEngine
import Synchronization

/// The outcome of a write transaction, for references to its objects that outlive it.
package final class TransactionOutcome: Sendable {
  private let committed = Mutex<SnapshotVersion?>(nil)

  /// The version that the transaction made; nil while it is open, and when it was taken back.
  package var version: SnapshotVersion? { committed.withLock { $0 } }

  func commit(as version: SnapshotVersion) { committed.withLock { $0 = version } }
}

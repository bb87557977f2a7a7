import Synchronization

/// Says when the next ``StoreWarning`` is due.
final class GrowthWatch: Sendable {
  /// Versions kept from which on the next warning is given.
  private let next = Atomic<UInt64>(StoreWarning.threshold)

  /// Looks at what a commit found: the oldest version that is needed, and the one it made.
  func note(oldest: UInt64, latest: UInt64, of store: Store) {
    let kept = latest - min(oldest, latest)
    let due = next.load(ordering: .relaxed)
    guard kept >= due else {
      // The old snapshot ended: the next one is worth a word again.
      if due > StoreWarning.threshold, kept < StoreWarning.threshold {
        next.store(StoreWarning.threshold, ordering: .relaxed)
      }
      return
    }
    next.store(due * 10, ordering: .relaxed)
    let isOwn = store.pins.oldestOwn == oldest
    store.configuration.warn(
      StoreWarning(
        location: store.location, oldest: SnapshotVersion(oldest), latest: SnapshotVersion(latest), isOwn: isOwn))
  }
}

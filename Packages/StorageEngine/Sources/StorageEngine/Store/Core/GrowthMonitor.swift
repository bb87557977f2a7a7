import Synchronization

/// Decides when the next ``StoreWarning`` is due.
final class GrowthMonitor: Sendable {
  /// Versions kept from which on the next warning is given.
  private let next = Atomic<UInt64>(StoreWarning.threshold)

  /// Warns after a commit, if a warning is due.
  ///
  /// - Parameters:
  ///   - oldest: the oldest version that a reader needs.
  ///   - latest: the version that the commit made.
  func check(oldest: UInt64, latest: UInt64, of store: Store) {
    let kept = latest - min(oldest, latest)
    let due = next.load(ordering: .relaxed)
    guard kept >= due else {
      // The old snapshot ended: the next one is worth a warning again.
      if due > StoreWarning.threshold, kept < StoreWarning.threshold {
        next.store(StoreWarning.threshold, ordering: .relaxed)
      }
      return
    }
    next.store(due * 10, ordering: .relaxed)
    let isOwn = store.registry.oldestHere == oldest
    store.configuration.warn(
      StoreWarning(
        location: store.location, oldest: SnapshotVersion(oldest), latest: SnapshotVersion(latest), isOwn: isOwn))
  }
}

import Concurrency
import Synchronization
import Telemetry

/// Watches of the realm's commits, and what is known of the consumers of its feed. On the loop.
extension RealmSequencer {
  /// Adds a watch, which is told of the realm once if its files are open.
  func add(_ watch: RealmWatch) {
    watches.append(watch)
    observeCommits()
  }

  /// Removes a watch.
  func remove(_ watch: RealmWatch) {
    watches.removeAll { $0 === watch }
    if watches.isEmpty { commitObservation = nil }
  }

  /// Begins to observe the commits of the open files, if there are watches. These are told of the realm once: there may be
  /// commits that were not observed.
  func observeCommits() {
    guard !watches.isEmpty, case .open(let store) = stage else { return }
    if commitObservation == nil {
      commitObservation = store.observeCommits { [weak self] in self?.committed() }
    }
    tellWatches()
  }

  /// Notes a commit. On the committing thread; any number of commits before the loop's next turn cost one entry.
  private nonisolated func committed() {
    guard !hasUntoldCommits.exchange(true, ordering: .acquiringAndReleasing) else { return }
    context.scheduler.execute { [weak self] in
      guard let self else { return }
      hasUntoldCommits.store(false, ordering: .releasing)
      tellWatches()
    }
  }

  private func tellWatches() {
    for watch in watches { watch.note(path) }
  }

  /// Counts the consumers of the realm's commits in the metrics, and reports those that have fallen behind since.
  func count(_ load: FeedLoad) {
    guard load != feedLoad else { return }
    metrics.feedCursors.add(Int64(load.cursors - feedLoad.cursors))
    metrics.feedCursorsBehind.add(Int64(load.behind.count - feedLoad.behind.count))
    metrics.feedBytes.add(Int64(load.bytes - feedLoad.bytes))
    for name in load.behind where !feedLoad.behind.contains(name) {
      logger.warn(
        "a consumer of commits has fallen behind; its history is no longer kept",
        ["path": .string(path.description), "cursor": .string(name)])
    }
    feedLoad = load
  }
}

import StorageEngine
import Synchronization

/// Who is told that a file has a new version: the live views of threads, and replication.
final class CommitListeners: Sendable {
  private struct State: Sendable {
    var next = 0
    /// In the order in which they came.
    var handlers: [(number: Int, handler: @Sendable (SnapshotVersion) -> Void)] = []
    var observation: CommitObservation?
  }
  private let state = Mutex(State())

  /// Calls `handler` after every commit of any process, until ``remove(_:)``; on the committing thread or one of the
  /// store's.
  func add(to store: Store, _ handler: @escaping @Sendable (SnapshotVersion) -> Void) throws -> Int {
    try state.withLock { state in
      if state.observation == nil {
        state.observation = try store.observeCommits { [weak self] in self?.tell($0) }
      }
      state.next += 1
      state.handlers.append((state.next, handler))
      return state.next
    }
  }

  func remove(_ number: Int) {
    // What a handler holds may end with it, and remove other handlers.
    let ended = state.withLock { state in
      let handler = state.handlers.firstIndex { $0.number == number }.map { state.handlers.remove(at: $0) }
      defer { if state.handlers.isEmpty { state.observation = nil } }
      return (handler, state.handlers.isEmpty ? state.observation : nil)
    }
    ended.1?.cancel()
  }

  private func tell(_ version: SnapshotVersion) {
    for (_, handler) in state.withLock({ $0.handlers }) { handler(version) }
  }
}

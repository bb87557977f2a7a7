import Dispatch
import Synchronization

/// Who wants to know of commits; watches the coordination file for those of other processes, which write it only while
/// somebody watches.
final class CommitObservers: Sendable {
  private struct State {
    /// In the order in which they came.
    var handlers: [(number: Int, handler: @Sendable (SnapshotVersion) -> Void)] = []
    var next = 0
    var version: UInt64
    var watch: FileWatches.Watch?
    /// Where commits of other processes are looked for, once somebody observes.
    var looking: DispatchQueue?
  }

  private let state: Mutex<State>
  /// Where commits of other processes are read; nil once the store is closed. Locked while it is read, so that who
  /// closes the store waits for that, and nothing of the store is left when it is closed.
  private let database: Mutex<Database?>
  private let isLookDue = Atomic<Bool>(false)

  init(database: Database, version: UInt64) {
    self.database = Mutex(database)
    state = Mutex(State(version: version))
  }

  /// - Parameter coordination: where commits of other processes show; nil when there are none.
  func add(
    watching coordination: CoordinationFile?, _ handler: @escaping @Sendable (SnapshotVersion) -> Void
  ) throws -> CommitObservation {
    let number = try state.withLock { state in
      if state.watch == nil, let coordination {
        try coordination.watch()
        let queue = state.looking ?? DispatchQueue(label: "StorageEngine.CommitObservers")
        state.looking = queue
        state.watch = try FileWatches.shared.add(coordination.path) { [weak self] in self?.lookSoon(on: queue) }
        // Others wake this process from here on; what they committed before is found by looking once.
        lookSoon(on: queue)
      }
      state.next += 1
      state.handlers.append((state.next, handler))
      return state.next
    }
    return CommitObservation(observers: self, number: number)
  }

  func remove(_ number: Int) {
    // What a handler holds may end with it, and end other observations.
    _ = state.withLock { state in
      state.handlers.firstIndex { $0.number == number }.map { state.handlers.remove(at: $0) }
    }
  }

  /// Takes note of a version without telling anybody.
  func known(_ version: UInt64) { state.withLock { $0.version = max($0.version, version) } }

  /// Tells everybody of a version, unless they were told.
  func tell(_ version: UInt64) {
    let handlers = state.withLock { state in
      guard version > state.version else { return [(number: Int, handler: @Sendable (SnapshotVersion) -> Void)]() }
      state.version = version
      return state.handlers
    }
    for (_, handler) in handlers { handler(SnapshotVersion(version)) }
  }

  /// Looks for commits of other processes on a queue, once for many calls.
  private func lookSoon(on queue: DispatchQueue) {
    guard !isLookDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in self?.look() }
  }

  private func look() {
    isLookDue.store(false, ordering: .sequentiallyConsistent)
    let known = state.withLock { $0.version }
    let version = database.withLock { database in
      try? database?.reading { try $0.root(known: known)?.version }
    }
    if let version { tell(version) }
  }

  /// Ends all observations and lets go of the database.
  func stop() {
    let (watch, handlers) = state.withLock { state in
      defer { (state.watch, state.handlers) = (nil, []) }
      return (state.watch, state.handlers)
    }
    if let watch { FileWatches.shared.cancel(watch) }
    let ended = database.withLock { database in
      defer { database = nil }
      return database
    }
    withExtendedLifetime((handlers, ended)) {}
  }
}

/// Keeps a commit handler registered; see ``Store/observeCommits(_:)``.
public final class CommitObservation: Sendable {
  private let observers: CommitObservers
  private let number: Int

  init(observers: CommitObservers, number: Int) {
    self.observers = observers
    self.number = number
  }

  /// Ends the observation; a call that is under way on another thread may still finish.
  public func cancel() { observers.remove(number) }

  deinit { cancel() }
}

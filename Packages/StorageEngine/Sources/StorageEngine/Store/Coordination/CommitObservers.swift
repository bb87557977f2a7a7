import Dispatch
import Synchronization

/// The commit handlers of a store. For commits of other processes it watches the lock file, which they write only while a
/// process watches.
final class CommitObservers: Sendable {
  private struct State {
    /// In the order of registration.
    var handlers: [(number: Int, handler: @Sendable (SnapshotVersion) -> Void)] = []
    var next = 0
    /// The latest version that handlers were called with, or that was known before.
    var version: UInt64
    var watch: FileWatches.Watch?
    /// The queue that looks for commits of other processes; nil before the first observer.
    var queue: DispatchQueue?

    /// - Returns: the number of the handler.
    mutating func add(_ handler: @escaping @Sendable (SnapshotVersion) -> Void) -> Int {
      next += 1
      handlers.append((next, handler))
      return next
    }
  }

  private let state: Mutex<State>
  /// Reads commits of other processes; nil once the store is closed. Locked while it reads, so that ``stop()`` waits for
  /// the read, and no connection outlives the store.
  private let database: Mutex<Database?>
  private let isLookDue = Atomic<Bool>(false)

  init(database: Database, version: UInt64) {
    self.database = Mutex(database)
    state = Mutex(State(version: version))
  }

  /// Registers a handler of the commits of this process, and of those of others that are noticed anyway.
  func add(_ handler: @escaping @Sendable (SnapshotVersion) -> Void) -> CommitObservation {
    CommitObservation(observers: self, number: state.withLock { $0.add(handler) })
  }

  /// Registers a handler.
  ///
  /// - Parameter lockFile: shows commits of other processes; nil when there are none.
  func add(
    watching lockFile: LockFile?, _ handler: @escaping @Sendable (SnapshotVersion) -> Void
  ) throws -> CommitObservation {
    let number = try state.withLock { state in
      if state.watch == nil, let lockFile {
        try lockFile.watch()
        let queue = state.queue ?? DispatchQueue(label: "StorageEngine.CommitObservers")
        state.queue = queue
        state.watch = try FileWatches.shared.add(lockFile.path) { [weak self] in self?.scheduleLook(on: queue) }
        // Later commits of other processes wake this one; earlier ones are found by looking once.
        scheduleLook(on: queue)
      }
      return state.add(handler)
    }
    return CommitObservation(observers: self, number: number)
  }

  func remove(_ number: Int) {
    // The handler is destroyed outside of the lock: its captures may end other observations.
    _ = state.withLock { state in
      state.handlers.firstIndex { $0.number == number }.map { state.handlers.remove(at: $0) }
    }
  }

  /// Records a version without calling handlers.
  func note(_ version: UInt64) { state.withLock { $0.version = max($0.version, version) } }

  /// Calls the handlers with a version, unless a call with that or a later version was made.
  func notify(_ version: UInt64) {
    let handlers = state.withLock { state in
      guard version > state.version else { return [(number: Int, handler: @Sendable (SnapshotVersion) -> Void)]() }
      state.version = version
      return state.handlers
    }
    for (_, handler) in handlers { handler(SnapshotVersion(version)) }
  }

  /// Schedules one look for commits of other processes, however many calls come before it.
  private func scheduleLook(on queue: DispatchQueue) {
    guard !isLookDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in self?.look() }
  }

  private func look() {
    isLookDue.store(false, ordering: .sequentiallyConsistent)
    let known = state.withLock { $0.version }
    let version = database.withLock { database in
      try? database?.reading { try $0.root(known: known)?.version }
    }
    if let version { notify(version) }
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

/// A registered commit handler; see ``Store/observeCommits(_:)``. The observation ends when it is cancelled or its last
/// reference is gone. May be used from any thread.
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

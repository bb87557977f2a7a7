import CStorageSupport
import Glibc
import Synchronization

/// Who wants to know of commits; watches the coordination file for those of other processes, which write it only while
/// somebody watches.
final class CommitObservers: Sendable {
  private struct State {
    var handlers: [Int: @Sendable (SnapshotVersion) -> Void] = [:]
    var next = 0
    var version: UInt64
    /// Signals the watching thread to end; nil while there is none.
    var stopEvent: Int32?
  }

  private let state: Mutex<State>
  private let database: Database
  private let coordination: CoordinationFile?

  init(database: Database, coordination: CoordinationFile?, version: UInt64) {
    self.database = database
    self.coordination = coordination
    state = Mutex(State(version: version))
  }

  func add(_ handler: @escaping @Sendable (SnapshotVersion) -> Void) throws -> CommitObservation {
    let number = state.withLock { state in
      state.next += 1
      state.handlers[state.next] = handler
      return state.next
    }
    do {
      try startWatching()
    } catch {
      remove(number)
      throw error
    }
    return CommitObservation(observers: self, number: number)
  }

  func remove(_ number: Int) { state.withLock { $0.handlers[number] = nil } }

  /// Takes note of a version without telling anybody.
  func known(_ version: UInt64) { state.withLock { $0.version = max($0.version, version) } }

  /// Tells everybody of a commit of this process.
  func committed(_ version: UInt64) {
    tell(version)
    coordination?.announce(version: version)
  }

  private func tell(_ version: UInt64) {
    let handlers = state.withLock { state in
      guard version > state.version else { return [@Sendable (SnapshotVersion) -> Void]() }
      state.version = version
      return state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    for handler in handlers { handler(SnapshotVersion(version)) }
  }

  private func startWatching() throws {
    guard let coordination else { return }
    let event = try state.withLock { state -> Int32? in
      if state.stopEvent != nil { return nil }
      let event = storage_event_open()
      guard event >= 0 else { throw Self.failure(-event) }
      state.stopEvent = event
      return event
    }
    guard let event else { return }
    let watch = storage_watch_open(coordination.path)
    guard watch >= 0 else { throw Self.failure(-watch) }
    // Others wake this process from here on; what they committed before, the thread looks for as it begins.
    coordination.watch()
    let watcher = Watcher(watch: watch, event: event, observers: self)
    guard watcher.start() else {
      Glibc.close(watch)
      throw Self.failure(EAGAIN)
    }
  }

  private static func failure(_ code: Int32) -> StorageError {
    StorageError(
      .ioFailed,
      "Could not watch for commits of other processes: \(String(cString: strerror(code))). Raise the limit of watches.")
  }

  func stop() {
    let event = state.withLock { state in
      state.handlers.removeAll()
      return state.stopEvent
    }
    if let event { storage_event_signal(event) }
  }

  /// Called when the coordination file was written.
  func look() {
    let version = state.withLock { $0.version }
    guard let root = try? database.reading({ try $0.root(known: version) }) else { return }
    tell(root.version)
  }
}

/// The thread that waits for commits of other processes.
private final class Watcher: Sendable {
  let watch: Int32
  let event: Int32
  // Weak, so that the store can go while the thread waits.
  private let observers: Mutex<WeakObservers>

  private struct WeakObservers { weak var value: CommitObservers? }

  init(watch: Int32, event: Int32, observers: CommitObservers) {
    self.watch = watch
    self.event = event
    self.observers = Mutex(WeakObservers(value: observers))
  }

  func start() -> Bool {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Watcher>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private func run() {
    repeat {
      guard let observers = observers.withLock({ $0.value }) else { break }
      observers.look()
    } while storage_watch_wait(watch, event) == 1
    Glibc.close(watch)
    Glibc.close(event)
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

import Dispatch
import SQLiteDatabase
import Synchronization

/// Columns of rows in one file (or in memory): one writer, many snapshots, over threads and processes.
///
///     let store = try Store.open(.file(path: "people.realm"))
///     try store.write { transaction in
///       let table = try transaction.createTable("Person")
///       let name = try transaction.addColumn("name", .string, to: table)
///       let writer = try transaction.writer(of: table)
///       try writer.setString("Ada", name, row: try writer.insertRow())
///     }
///     let snapshot = try store.latestSnapshot()
///     snapshot.version                                 // version 2
///
/// A commit is atomic and, unless ``StoreConfiguration/isDurable`` is false, on disk before it returns. A snapshot never
/// changes. May be used from any thread; the store is closed when its last reference is gone.
public final class Store: Sendable {
  /// The stores that are open in this process; one for each location.
  static let opened = WeakRegistry<StoreLocation, Store>()

  /// The location of the store, with links in the path of a file resolved.
  public let location: StoreLocation
  /// The configuration of the first ``open(_:configuration:)`` of this location.
  public let configuration: StoreConfiguration
  let loader: NodeLoader
  let registry: SnapshotRegistry
  let observers: CommitObservers
  let growth = GrowthMonitor()
  /// The latest version that this process knows.
  let current: Mutex<RootPage>
  let writerLock = WriterLock()
  let lockTimeout: DispatchTimeInterval
  /// Whether every ``open(_:configuration:)`` asked for reading only.
  let isReadOnly: Atomic<Bool>
  /// Node numbers below this were given out by this process, committed or not.
  let nodeFloor = Atomic<Int64>(1)
  /// In memory, where one connection does everything: the states of logs as that connection sees them, with the changes
  /// of the running transaction.
  let inMemoryLogs = Mutex<[String: LogState]>([:])

  var database: Database { loader.database }

  /// Whether the file is read as it stands, without looking for changes.
  var isImmutable: Bool { if case .immutable = database.opener.mode { true } else { false } }

  init(
    location: StoreLocation, configuration: StoreConfiguration, loader: NodeLoader, registry: SnapshotRegistry,
    root: RootPage
  ) {
    self.location = location
    self.configuration = configuration
    self.loader = loader
    self.registry = registry
    observers = CommitObservers(database: loader.database, version: root.version)
    current = Mutex(root)
    let (seconds, attoseconds) = configuration.busyTimeout.components
    lockTimeout = .nanoseconds(Int(min(seconds, 1 << 30) * 1_000_000_000 + attoseconds / 1_000_000_000))
    isReadOnly = Atomic(configuration.isReadOnly)
  }

  deinit {
    Self.opened.remove(self, for: location)
    observers.stop()
  }

  /// The latest version that this process knows of; others may have committed since.
  public var knownVersion: SnapshotVersion { SnapshotVersion(current.withLock { $0.version }) }

  /// Calls `handler` after every commit, with the version: on the committing thread for commits of this process and
  /// on a thread of the store for those of others (several in quick succession may come as one). Ends when the
  /// observation is cancelled or dropped.
  ///
  /// - Throws: ``StorageError`` when commits of other processes cannot be watched, as where the system's limit of watches
  ///   is reached.
  public func observeCommits(
    _ handler: @escaping @Sendable (SnapshotVersion) -> Void
  ) throws -> CommitObservation { try observers.add(watching: registry.lockFile, handler) }

  /// Calls `handler` after every commit of this process, with the version, on the committing thread. Costs no watch of a file.
  /// Ends when the observation is cancelled or dropped.
  public func observeOwnCommits(_ handler: @escaping @Sendable (SnapshotVersion) -> Void) -> CommitObservation {
    observers.add(handler)
  }

  /// Evicts all decoded nodes from the cache; nodes in use stay with their users.
  ///
  /// - Complexity: O(decoded nodes).
  public func dropCaches() { loader.cache.removeAll() }
}

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
public final class Store: Sendable {
  public let location: StoreLocation
  public let configuration: StoreConfiguration
  let loader: NodeLoader
  let pins: PinBoard
  let observers: CommitObservers
  let growth = GrowthWatch()
  /// The latest version that this process knows.
  let current: Mutex<RootState>
  /// The turn to write, among the threads of this process.
  let turn = WriterTurn()
  let turnTimeout: DispatchTimeInterval
  /// Whether everybody who opened the store wants to read only.
  let isReadOnly: Atomic<Bool>
  /// Node numbers below this were given out by this process, committed or not.
  let nodeFloor = Atomic<Int64>(1)
  /// In memory, where one connection does everything: the states of logs as it sees them, with what the running
  /// transaction changed.
  let heldLogs = Mutex<[String: LogState]>([:])

  var database: Database { loader.database }

  /// Whether the file is read as it stands, without looking out for changes.
  var isImmutable: Bool { if case .immutable = database.opener.mode { true } else { false } }

  init(location: StoreLocation, configuration: StoreConfiguration, loader: NodeLoader, pins: PinBoard, root: RootState)
  {
    self.location = location
    self.configuration = configuration
    self.loader = loader
    self.pins = pins
    observers = CommitObservers(database: loader.database, version: root.version)
    current = Mutex(root)
    let (seconds, attoseconds) = configuration.busyTimeout.components
    turnTimeout = .nanoseconds(Int(min(seconds, 1 << 30) * 1_000_000_000 + attoseconds / 1_000_000_000))
    isReadOnly = Atomic(configuration.isReadOnly)
  }

  deinit {
    Self.opened.remove(self, for: location)
    observers.stop()
  }

  /// The latest version that this process knows of; others may have committed since.
  public var knownVersion: SnapshotVersion { SnapshotVersion(current.withLock { $0.version }) }

  /// The latest version that any process committed, pinned.
  public func latestSnapshot() throws -> Snapshot {
    let root = try database.isInMemory ? pinnedInMemory() : pinnedInFile()
    return Snapshot(root: root, loader: loader, pins: pins)
  }

  private func pinnedInMemory() throws -> RootState {
    current.withLock { root in
      pins.pin(root.version, end: root.nextNode)
      return root
    }
  }

  /// Pins the latest version, making sure that no commit freed its nodes before the pin could be seen.
  private func pinnedInFile() throws -> RootState {
    var last: UInt64 = 0
    while true {
      let known = current.withLock { $0 }
      let seen = try latestRoot(known: known.version)
      // Another attempt is made because a later version is there.
      guard seen.version > last else { throw StorageError.damage("The file went back to an earlier version.") }
      last = seen.version
      switch pins.attempt(seen.version) {
      case .lost: continue
      case .safe: break
      case .unproven:
        // Commits look at pins before they delete, and delete only what an earlier commit announced. So if nothing
        // above this version was announced by now, no commit will delete what it needs while the pin stands.
        guard try isWhole(seen.version) else {
          pins.abandon(seen.version)
          continue
        }
      }
      do {
        let root = try adopt(seen.version, seen.content, known)
        pins.keep(seen.version, end: root.nextNode)
        return root
      } catch {
        pins.abandon(seen.version)
        throw error
      }
    }
  }

  /// Whether no commit up to now announced that a version that was just pinned may lose nodes.
  private func isWhole(_ version: UInt64) throws -> Bool {
    do { return try latestRoot(known: version).freeable <= version } catch {
      pins.abandon(version)
      throw error
    }
  }

  func latestRoot(known: UInt64) throws -> StoredRoot {
    let root = try translating("read the latest version") { try database.reading { try $0.root(known: known) } }
    guard let root else { throw Self.rootMissing }
    return root
  }

  static var rootMissing: StorageError {
    StorageError(.corrupt, "The file has no version. Restore it from a backup or its server.")
  }

  /// The root of a version that is pinned, decoded over what this process knows.
  func adopt(_ version: UInt64, _ content: [UInt8]?, _ known: RootState) throws -> RootState {
    guard let content, version != known.version else { return known }
    let root = try RootState.decode(
      try loader.source.opened(content, at: .root(version: version)), version: version, loader: loader, earlier: known)
    current.withLock { if $0.version < version { $0 = root } }
    return root
  }

  /// Runs `body` in a write transaction; commits when it returns and rolls back when it throws.
  @discardableResult
  public func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    let transaction = try beginWrite()
    do {
      let result = try body(transaction)
      try transaction.commit()
      return result
    } catch {
      transaction.rollback()
      throw error
    }
  }

  /// Calls `handler` after every commit, with the version: on the committing thread for commits of this process and
  /// on a thread of the store for those of others (several in quick succession may come as one). Ends when the
  /// observation is cancelled or dropped.
  public func observeCommits(
    _ handler: @escaping @Sendable (SnapshotVersion) -> Void
  ) throws -> CommitObservation { try observers.add(watching: pins.coordination, handler) }

  /// Drops decoded nodes that nobody holds.
  public func dropCaches() { loader.cache.removeAll() }
}

import DataModel
import Dispatch
import Foundation
import Glibc
import StorageEngine
import Synchronization
import RecordStore

/// A realm file as one thread, queue or actor sees it: the snapshot it reads, its open write transaction, and the state
/// that its live objects and collections share. ``Realm`` is a handle on one.
///
/// Public for inlined property access only; applications use ``Realm``.
public final class RealmView: @unchecked Sendable {
  // @unchecked: a live view is used only where it is confined to, which every entry point checks; a frozen view changes
  // nothing but the caches that ``frozenLock`` guards.

  /// The transaction of a view.
  enum Stage {
    case reading
    case writing(WriteSession)
    /// A transaction that could not begin. Its changes are dropped, and its commit throws the error.
    case refused(any Error)
  }

  let file: RealmFile
  var configuration: Realm.Configuration
  let confinement: Confinement
  /// The confinement of the live view that a frozen view was made from.
  var origin: Confinement?
  /// The outcome of the transaction within which a frozen view was made for a handover; nil for other views.
  var outcome: TransactionOutcome?
  /// Errors of reads that could not throw.
  let faults = ReadFaults()
  /// Transactions that were asked for asynchronously.
  let asyncWrites = AsyncWrites()
  let isFrozen: Bool
  /// The state that inlined property reads check.
  let state: UnsafeMutablePointer<ViewState>
  /// A reference to this view that does not keep it.
  let weakReference = WeakView()
  /// The snapshot that is read outside of write transactions; nil until the first read, and after ``invalidate()``.
  private(set) var snapshot: Snapshot? { didSet { showSnapshot() } }
  var stage = Stage.reading {
    didSet {
      state.pointee.birth = session == nil ? 0 : transactionNumber
      showSnapshot()
    }
  }
  private(set) var snapshotCatalog = Catalog.empty
  /// The layouts of the model classes in the file; dynamic objects have theirs by table.
  var accesses: [ObjectIdentifier: ClassAccess] = [:]
  var dynamicAccesses: [TableID: ClassAccess] = [:]
  /// Classes that are shown without objects.
  var placeholders = PlaceholderClasses()
  /// The error because of which ``snapshot`` is blank; nil while it is not.
  private(set) var readFailure: Realm.Error?
  /// The query schema of one catalog and number of model classes.
  var knownSchema: (revision: UInt64, classes: Int, schema: Schema)?
  /// The permissions of the configuration's user at one version.
  var knownPermissions: PermissionPreview?
  /// Grows with every change of ``querySchema``.
  var querySchemaRevision: UInt64 = 0
  /// Guards the caches of a frozen view, which several threads use.
  let frozenLock = NSRecursiveLock()
  /// Grows with every change that makes results out of date.
  var dataVersion: UInt64 { state.pointee.dataVersion }
  /// The writer's count of deletions at the last look.
  var deletionCount: UInt64 = 0
  /// Numbers the view's transactions from 1.
  var transactionNumber: UInt64 = 0
  /// The version that the view's own last transaction made.
  var ownVersion: SnapshotVersion?
  /// The view itself, while a transaction that the program opened on the main thread keeps it.
  var keptByTransaction: RealmView?
  var autorefresh = true
  /// The rules for objects that are added because an added object links to them.
  var promotionRules: (policy: Realm.UpdatePolicy, skipsUnassigned: Bool, copiesForeign: Bool) =
    (.error, false, false)
  lazy var notifier = Notifier(self)
  /// Receives the changeset of each transaction of this view; with one, every transaction is recorded.
  var changesetListener: (any ChangesetListener)?
  /// Cascade-delete rules of the current catalog; built on first use.
  var cascadeRules: CascadeRules?
  /// The old or new classes of a migration, in the two views that serve one; nil in others.
  var migratedSchema: Schema?
  /// Live collections inside mixed values.
  let nestedCollections = NestedCollections()
  /// For each cancelled transaction and table, the first row key that the transaction had given out.
  var cancelled: [UInt64: [TableID: RowKey]] = [:]

  init(
    _ file: RealmFile, _ configuration: Realm.Configuration, _ confinement: Confinement,
    frozen readView: (snapshot: Snapshot, catalog: Catalog)? = nil
  ) {
    self.file = file
    self.configuration = configuration
    self.confinement = confinement
    isFrozen = readView != nil
    state = .allocate(capacity: 1)
    state.initialize(to: ViewState(self))
    state.pointee.isFrozen = isFrozen
    weakReference.view = self
    switch confinement {
    case .thread(let thread): state.pointee.thread = thread
    case .main where Thread.isMainThread: state.pointee.thread = pthread_self()
    default: break
    }
    if let readView {
      snapshot = readView.snapshot
      showSnapshot()
      snapshotCatalog = readView.catalog
    }
  }

  deinit {
    if !isFrozen { unregister() }
    session?.rollback()
    state.pointee.liveObjects.deallocate()
    state.deallocate()
  }

  /// The open transaction; nil outside of transactions, and in one that could not begin.
  var session: WriteSession? { if case .writing(let session) = stage { session } else { nil } }

  /// The error of a transaction that could not begin; nil otherwise.
  var refusal: (any Error)? { if case .refused(let error) = stage { error } else { nil } }

  /// Whether the program is within a transaction, be it one that could not begin.
  var isWriting: Bool { if case .reading = stage { false } else { true } }

  /// Whether a row was created by a transaction that was cancelled.
  ///
  /// - Parameter birth: the transaction in which the row was met; 0 for none.
  func wasCancelled(_ row: RowKey, _ table: TableID, birth: UInt64) -> Bool {
    guard birth != 0, let first = cancelled[birth] else { return false }
    return row >= first[table] ?? RowKey(0)
  }

  /// Stops the program when called elsewhere than the view is confined to. One comparison of thread identifiers decides
  /// in nearly every case.
  func checkConfinement() {
    if state.pointee.thread == pthread_self() { return }
    confinement.check()
  }

  // MARK: Reading

  /// The open transaction, or else the snapshot; the first read moves to the latest version.
  var reader: any StorageReader {
    if let session { return session.transaction }
    return snapshot ?? firstSnapshot()
  }

  /// Moves a view without a snapshot to the latest version, or to a blank snapshot when that cannot be read.
  func firstSnapshot() -> Snapshot {
    do {
      let latest = try file.store.latestSnapshot()
      try advance(to: latest)
      return latest
    } catch { return showBlank(because: error) }
  }

  /// Moves to a blank snapshot, in which every known class is empty, until the view moves to another version.
  @discardableResult
  func showBlank(because error: any Error, knowing catalog: Catalog? = nil) -> Snapshot {
    let blank = file.store.blankSnapshot()
    readFailure = faults.note(error)
    snapshot = blank
    if let catalog { snapshotCatalog = catalog }
    changedEverything()
    return blank
  }

  /// Publishes the snapshot to reads of single objects, which then count no references.
  private func showSnapshot() {
    state.pointee.snapshot = session == nil ? snapshot.map { Unmanaged.passUnretained($0) } : nil
  }

  /// The current cluster of a row; a blank one when it cannot be read, nil when the table has none.
  func cluster(_ row: RowKey, _ table: TableID) -> Cluster? {
    guard row.rawValue >= 0 else { return nil }
    return reading(or: file.store.blankCluster()) {
      if let snapshot = state.pointee.snapshot {
        return try snapshot._withUnsafeGuaranteedRef { try $0.cluster(row.clusterIndex, of: table) }
      }
      return try session?.transaction.cluster(row.clusterIndex, of: table)
    }
  }

  /// Prefetches a row for which a live object is about to be made, since programs mostly read it at once. Serves
  /// store.follow-links and store.key-lookups.
  func prefetch(_ row: RowKey, _ access: ClassAccess) {
    guard let snapshot = state.pointee.snapshot else { return }
    snapshot._withUnsafeGuaranteedRef { $0.prefetch(row, of: access.fastPath.pointee.table) }
  }

  /// Whether a row lives at the version that is read; true when that cannot be found out.
  func has(_ row: RowKey, _ table: TableID) -> Bool {
    reading(or: true) { try readerIfAny?.contains(row, in: table) ?? false }
  }

  /// The first row with a number in an index; nil when there is none. O(log *n*).
  func firstRow(_ number: Int64, in index: IndexID) throws -> RowKey? {
    if let snapshot = state.pointee.snapshot {
      return try snapshot._withUnsafeGuaranteedRef { try $0.firstRow(number, in: index) }
    }
    return try reader.firstRow(number, in: index)
  }

  /// The open transaction, or else the snapshot; nil for a view that reads nothing.
  var readerIfAny: (any StorageReader)? { session?.transaction ?? snapshot }

  /// The classes of the file at the version that is read.
  var fileCatalog: Catalog {
    if let session { return session.writer.catalog }
    if snapshot == nil { _ = reader }
    return snapshotCatalog
  }

  /// The classes of the file, with placeholders for those that cannot be shown.
  var catalog: Catalog {
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    let real = fileCatalog
    return placeholders.isEmpty ? real : placeholders.shown(in: real)
  }

  var readView: ReadView { ReadView(reader, catalog) }

  /// Moves to a snapshot.
  ///
  /// - Parameter keepsRows: whether every row that lives now lives there, too.
  func advance(to next: Snapshot, keepsRows: Bool = false) throws {
    let nextCatalog = try file.catalog(of: next)
    let isNewCatalog = nextCatalog !== snapshotCatalog
    readFailure = nil
    snapshot = next
    snapshotCatalog = nextCatalog
    if isNewCatalog { updateAccesses() }
    changedEverything(keepsRows: keepsRows && !isNewCatalog)
  }

  /// Makes cached clusters and results stale, and unless all rows stay, also what objects know of their rows.
  func changedEverything(keepsRows: Bool = false) {
    state.pointee.epoch &+= 1
    if !keepsRows { state.pointee.deletions &+= 1 }
    state.pointee.dataVersion &+= 1
  }

  /// Drops the snapshot. All live objects and collections of the view become invalid.
  func invalidate() {
    if isWriting { cancelWrite() }
    snapshot = nil
    state.pointee.generation &+= 1
    changedEverything()
  }

  /// Grows with every ``invalidate()``. Objects and collections of an older generation are invalid.
  var detachedGeneration: UInt64 { state.pointee.generation }

  /// The number of the open transaction; 0 outside of transactions.
  var birth: UInt64 { state.pointee.birth }

  // MARK: Objects

  /// The live object of a row.
  func live<T: ObjectBase>(_ type: T.Type, _ row: RowKey) -> T { live(type, access(type), row) }

  func live<T: ObjectBase>(_ type: T.Type, _ access: ClassAccess, _ row: RowKey) -> T {
    let object = type.init()
    object.attach(access, row)
    access.binding.bindInstances(of: object)
    return object
  }
}

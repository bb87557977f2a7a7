import DataModel
import Dispatch
import Foundation
import Glibc
import StorageEngine
import Synchronization

/// One thread's (or queue's) view of a realm file: the snapshot it reads, the write transaction it may have open, and
/// everything live that hangs on it. ``Realm`` is a handle on one.
///
/// An implementation detail of inlined property access; applications use ``Realm``.
public final class RealmView: @unchecked Sendable {
  // @unchecked: everything is used on the view's own thread or queue only, which every entry point checks; frozen views
  // do not change after they are made, apart from what ``frozenLock`` guards.

  let file: RealmFile
  var configuration: Realm.Configuration
  let confinement: Confinement
  /// Where a frozen view was live.
  var origin: Confinement?
  /// What becomes of the transaction within which a frozen view was made for a reference.
  var outcome: TransactionOutcome?
  /// What could not be read and nobody was told of yet.
  let faults = ReadFaults()
  /// What waits to be written later.
  let asyncWrites = AsyncWrites()
  let isFrozen: Bool
  /// What inlined reads look at.
  let state: UnsafeMutablePointer<ViewState>
  /// Leads here without keeping the view.
  let weakly = WeakView()
  /// What is read outside of write transactions; nil until the first read, and after ``invalidate()``.
  // Unchecked, like what else every write looks at: a view is used by one thread, and what is read here is read at once.
  @exclusivity(unchecked) private(set) var snapshot: Snapshot? { didSet { showSnapshot() } }
  /// Why the transaction that the program believes to be in never began; its commit throws this.
  @exclusivity(unchecked) private(set) var refusal: (any Error)?
  /// Whether changes may be made: within a transaction.
  var isWriting: Bool { session != nil || refusal != nil }
  @exclusivity(unchecked) private(set) var session: WriteSession? {
    didSet {
      state.pointee.birth = session == nil ? 0 : transactionNumber
      showSnapshot()
    }
  }
  @exclusivity(unchecked) private(set) var snapshotCatalog = Catalog.empty
  /// How classes lie in the file, by model class, and by table for dynamic objects.
  var accesses: [ObjectIdentifier: ClassAccess] = [:]
  var dynamicAccesses: [TableID: ClassAccess] = [:]
  /// Classes that are shown without objects.
  var standIns = StandIns()
  /// Why ``snapshot`` is a blank one; nil while it is not.
  @exclusivity(unchecked) private(set) var absence: Realm.Error?
  private var knownSchema: (revision: UInt64, classes: Int, schema: Schema)?
  let frozenLock = NSRecursiveLock()
  /// Grows with every change that results must take up.
  var dataVersion: UInt64 { state.pointee.dataVersion }
  @exclusivity(unchecked) private var deletionCount: UInt64 = 0
  @exclusivity(unchecked) private var transactionNumber: UInt64 = 0
  var autorefresh = true
  /// How objects met while adding are added themselves.
  @exclusivity(unchecked) var promotionRules: (policy: Realm.UpdatePolicy, skipsUnassigned: Bool, copiesForeign: Bool) =
    (.error, false, false)
  lazy var notifier = Notifier(self)
  /// Receives the changeset of each transaction of this view; with one, every transaction is recorded.
  @exclusivity(unchecked) var changesetListener: (any ChangesetListener)?
  /// What dies with what, for one catalog.
  var cascadeRules: CascadeRules?
  /// The classes as a migration has them, of a view that serves one; nil of others.
  @exclusivity(unchecked) var migratedSchema: Schema?
  /// Live collections inside mixed values.
  let nestedPlaces = NestedPlaces()
  /// For each cancelled transaction, the row keys from which on its rows never came to be.
  private var cancelled: [UInt64: [TableID: RowKey]] = [:]

  init(
    _ file: RealmFile, _ configuration: Realm.Configuration, _ confinement: Confinement,
    frozen frame: (snapshot: Snapshot, catalog: Catalog)? = nil
  ) {
    self.file = file
    self.configuration = configuration
    self.confinement = confinement
    isFrozen = frame != nil
    state = .allocate(capacity: 1)
    state.initialize(to: ViewState(self))
    state.pointee.isFrozen = isFrozen
    weakly.view = self
    switch confinement {
    case .thread(let thread): state.pointee.thread = thread
    case .main where Thread.isMainThread: state.pointee.thread = pthread_self()
    default: break
    }
    if let frame {
      snapshot = frame.snapshot
      showSnapshot()
      snapshotCatalog = frame.catalog
    }
  }

  deinit {
    if !isFrozen { withdraw() }
    session?.rollback()
    state.pointee.liveObjects.deallocate()
    state.deallocate()
  }

  /// Whether a row that was met in a transaction went away with it.
  func wasCancelled(_ row: RowKey, _ table: TableID, birth: UInt64) -> Bool {
    guard birth != 0, let first = cancelled[birth] else { return false }
    return row >= first[table] ?? RowKey(0)
  }

  /// Stops the program when used elsewhere than at home; the thread tells in nearly every case, without asking the
  /// system.
  @inline(__always) func checkConfinement() {
    if state.pointee.thread == pthread_self() { return }
    confinement.check()
  }

  // MARK: Reading

  /// What is read now; begins to read when nothing was read yet.
  var reader: any StorageReader {
    if let session { return session.transaction }
    return snapshot ?? firstSnapshot()
  }

  /// Moves a view that reads nothing to the latest version, or to a blank one where that cannot be read.
  func firstSnapshot() -> Snapshot {
    do {
      let latest = try file.store.latestSnapshot()
      try advance(to: latest)
      return latest
    } catch { return showNothing(because: error) }
  }

  /// Shows every class without objects, as far as the classes are known, until the view moves to another version.
  @discardableResult
  func showNothing(because error: any Error, knowing catalog: Catalog? = nil) -> Snapshot {
    let blank = file.store.blankSnapshot()
    absence = faults.note(error)
    snapshot = blank
    if let catalog { snapshotCatalog = catalog }
    changedEverything()
    return blank
  }

  /// Shows reads of single objects what they read, so that they count no references.
  private func showSnapshot() {
    state.pointee.snapshot = session == nil ? snapshot.map { Unmanaged.passUnretained($0) } : nil
  }

  /// The cluster of a row as it is now; a blank one where it cannot be read.
  func cluster(_ row: RowKey, _ table: TableID) -> Cluster? {
    guard row.rawValue >= 0 else { return nil }
    return reading(or: file.store.blankCluster()) {
      if let snapshot = state.pointee.snapshot {
        return try snapshot._withUnsafeGuaranteedRef { try $0.cluster(row.clusterIndex, of: table) }
      }
      return try session?.transaction.cluster(row.clusterIndex, of: table)
    }
  }

  /// Asks the processor for a row of which a live object is about to be made, which programs mostly read at once.
  @inline(__always) func prefetch(_ row: RowKey, _ access: ClassAccess) {
    guard let snapshot = state.pointee.snapshot else { return }
    snapshot._withUnsafeGuaranteedRef { $0.prefetch(row, of: access.quick.pointee.table) }
  }

  /// Whether a row lives in what is read now; true where that cannot be read.
  func has(_ row: RowKey, _ table: TableID) -> Bool {
    reading(or: true) { try readerIfAny?.contains(row, in: table) ?? false }
  }

  /// The least row with a number in an index.
  func firstRow(_ number: Int64, in index: IndexID) throws -> RowKey? {
    if let snapshot = state.pointee.snapshot {
      return try snapshot._withUnsafeGuaranteedRef { try $0.firstRow(number, in: index) }
    }
    return try reader.firstRow(number, in: index)
  }

  /// What is read now; nil after the view was invalidated.
  var readerIfAny: (any StorageReader)? { session?.transaction ?? snapshot }

  /// The classes as the file has them.
  var fileCatalog: Catalog {
    if let session { return session.writer.catalog }
    if snapshot == nil { _ = reader }
    return snapshotCatalog
  }

  /// The classes as they are shown.
  var catalog: Catalog {
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    let real = fileCatalog
    return standIns.isEmpty ? real : standIns.shown(in: real)
  }

  var frame: Frame { Frame(reader, catalog) }

  /// Moves to a snapshot.
  ///
  /// - Parameter keepsRows: whether what lives now is known to live there.
  func advance(to next: Snapshot, keepsRows: Bool = false) throws {
    let nextCatalog = try file.catalog(of: next)
    let isNewCatalog = nextCatalog !== snapshotCatalog
    absence = nil
    snapshot = next
    snapshotCatalog = nextCatalog
    if isNewCatalog { updateAccesses() }
    changedEverything(keepsRows: keepsRows && !isNewCatalog)
  }

  /// Makes clusters and results found earlier out of date, and what is known of rows unless all of them stay.
  private func changedEverything(keepsRows: Bool = false) {
    state.pointee.epoch &+= 1
    if !keepsRows { state.pointee.deletions &+= 1 }
    state.pointee.dataVersion &+= 1
  }

  /// Drops the snapshot: live objects and collections are invalid from here on.
  func invalidate() {
    if isWriting { cancelWrite() }
    snapshot = nil
    state.pointee.generation &+= 1
    changedEverything()
  }

  /// Grows with every ``invalidate()``; what was made before is invalid.
  var detachedGeneration: UInt64 { state.pointee.generation }

  /// The transaction in which something is made live now; 0 outside of transactions.
  var birth: UInt64 { state.pointee.birth }

  // MARK: Queries

  /// The classes as queries see them: as the program declares them where it does, as the file has them otherwise.
  var querySchema: Schema {
    let catalog = self.catalog
    if let known = knownSchema, known.revision == catalog.revision, known.classes == accesses.count {
      return known.schema
    }
    let declared = ModelSchema(accesses.values.map(\.binding.type), isClosed: false).schema
    let schema = Schema(frame.schema.objectSchema.map { declared[$0.className] ?? $0 })
    knownSchema = (catalog.revision, accesses.count, schema)
    querySchemaRevision &+= 1
    return schema
  }

  /// The classes that the realm was opened with; where it names none, those of the program, and the others of the file as
  /// the file has them.
  var schema: Schema {
    if let types = configuration.objectTypes { return ModelSchema.of(types).schema }
    let program = ModelSchema.ofProgram.schema
    return Schema(
      querySchema.objectSchema.map { known in
        accesses.values.contains { $0.layout.name == known.className } ? known : program[known.className] ?? known
      })
  }

  /// Grows whenever ``querySchema`` becomes another.
  private(set) var querySchemaRevision: UInt64 = 0

  // MARK: Objects

  /// The live object of a row.
  func object<T: ObjectBase>(_ type: T.Type, _ row: RowKey) -> T {
    unsafeDowncast(live(type, row), to: T.self)
  }

  /// The live object of a row; it is of the type that is asked for.
  func live(_ type: ObjectBase.Type, _ row: RowKey) -> ObjectBase { live(type, access(type), row) }

  @inline(__always) func live(_ type: ObjectBase.Type, _ access: ClassAccess, _ row: RowKey) -> ObjectBase {
    let object = type.init()
    object.attach(access, row)
    access.binding.bindInstances(of: object)
    return object
  }

  // MARK: Writing

  /// The writer of the open transaction.
  var writer: StoreWriter {
    guard let session else { violated("Cannot modify managed objects outside of a write transaction.") }
    return session.writer
  }

  /// The writer for cells that need nothing but being written; nil while changes are recorded.
  func plainWriter(_ access: ClassAccess) -> TableWriter? {
    guard let writer = session?.writer, writer.recorder == nil else { return nil }
    if let cached = access.writer, cached.transaction == transactionNumber { return cached.writer }
    guard let table = reading(or: nil, { try writer.writer(access.layout) }) else { return nil }
    access.keep(table, transactionNumber)
    return table
  }

  /// Notes a change that was made directly.
  func wrote() {
    if let session { noteChanges(session) }
  }

  /// Lets the view show a transaction that brings a file to another schema, and write in it.
  func beginMigration(_ session: WriteSession, _ schema: Schema) {
    migratedSchema = schema
    transactionNumber &+= 1
    self.session = session
    state.pointee.clusterEpoch = session.transaction.clusterEpoch
    deletionCount = session.writer.deletionCount
  }

  /// Lets go of the transaction, which goes on: what hangs on the view is invalid from here on.
  func endMigration() {
    session = nil
    migratedSchema = nil
    invalidate()
  }

  /// Stops the program where something would end the transaction of a migration, or outlive it.
  func checkNotMigrating() {
    rule(migratedSchema == nil, "A migration commits by itself, and what it shows lives as long as its block.")
  }

  private func noteChanges(_ session: WriteSession) {
    state.pointee.dataVersion &+= 1
    let hasDeleted = session.writer.deletionCount != deletionCount
    if hasDeleted {
      deletionCount = session.writer.deletionCount
      state.pointee.deletions &+= 1
    }
    let epoch = session.transaction.clusterEpoch
    // A cluster of the transaction stays the same one when a row of it goes.
    if hasDeleted || epoch != state.pointee.clusterEpoch {
      state.pointee.clusterEpoch = epoch
      state.pointee.epoch &+= 1
    }
  }

  /// Runs changes through the store writer. A failure is thrown by the commit.
  func modify(_ body: (StoreWriter) throws -> Void) { modify(or: (), body) }

  /// The same for changes with a result, which is `blank` where they fail.
  func modify<R>(or blank: @autoclosure () -> R, _ body: (StoreWriter) throws -> R) -> R {
    checkConfinement()
    if refusal != nil { return blank() }
    let writer = self.writer
    let revision = writer.catalog.revision
    let result = reading(or: blank()) { try body(writer) }
    if writer.catalog.revision != revision { updateAccesses() }
    if let session { noteChanges(session) }
    return result
  }

  func beginWrite() throws {
    checkConfinement()
    rule(!isFrozen, "Can't perform transactions on a frozen Realm.")
    rule(!configuration.readOnly, "Can't perform transactions on read-only Realms.")
    rule(!isWriting, "The Realm is already in a write transaction.")
    try faults.check()
    if let limit = configuration.maximumNumberOfActiveVersions { try checkVersions(limit) }
    notifier.deliverWhatIsDue()
    let session = try translatingErrors { try newestSession() }
    rule(!isWriting, "The Realm is already in a write transaction.")
    if changesetListener != nil, session.writer.recorder == nil { session.writer.recorder = ChangesetRecorder() }
    transactionNumber &+= 1
    self.session = session
    state.pointee.clusterEpoch = session.transaction.clusterEpoch
    deletionCount = session.writer.deletionCount
    if session.writer.catalog.revision != snapshotCatalog.revision { updateAccesses() }
    // The transaction begins with the rows of the snapshot: whoever is behind was brought there above.
    changedEverything(keepsRows: true)
  }

  /// Begins a transaction for a program that cannot be told of a failure before it commits.
  func beginWriteOrRefuse() {
    do { try beginWrite() } catch {
      log(.error, "A write transaction could not begin. \(error)")
      refusal = error
    }
  }

  /// A transaction on the newest version, to which what is live moved, and whose observers heard of it.
  ///
  /// They hear while others may write: a handler may do so itself, or wait for somebody who does. Where others are quicker
  /// time and again, handlers hear at the next turn instead; where nobody hears, the transaction need not begin again.
  private func newestSession() throws -> WriteSession {
    var attempt = 0
    while true {
      let session = try WriteSession(file)
      if let snapshot, snapshot.version == session.transaction.version { return session }
      do {
        if attempt == Self.catchUpLimit || !notifier.isHeard {
          try advance(to: file.store.latestSnapshot())
          if notifier.isHeard { notifier.wake() }
          return session
        }
      } catch {
        session.rollback()
        throw error
      }
      session.rollback()
      try notifier.move(to: file.store.latestSnapshot())
      attempt += 1
    }
  }

  /// How often a transaction that begins lets others go first.
  private static var catchUpLimit: Int { 8 }

  func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
    checkConfinement()
    checkNotMigrating()
    if let refusal {
      self.refusal = nil
      throw refusal
    }
    guard let session else { violated("Can't commit a non-existing write transaction.") }
    self.session = nil
    let next: Snapshot
    let (base, baseCatalog) = (snapshot, snapshotCatalog)
    do {
      do { try faults.check() } catch {
        session.rollback()
        throw error
      }
      next = try session.commit()
    } catch {
      // As if it had been cancelled: what it added is invalid, and those who wait for a turn get theirs.
      takeBack()
      throw error
    }
    try passOnChangeset(of: session, from: base, baseCatalog, to: next)
    log(.trace, "Committed version \(next.version.rawValue) of \(configuration).")
    let isOwn = next.version == session.transaction.madeVersion
    try notifier.committed(
      next, keepsRows: isOwn && session.writer.deletionCount == deletionCount, withoutNotifying: tokens)
    asyncWrites.resume(self)
  }

  func cancelWrite() {
    checkConfinement()
    checkNotMigrating()
    if refusal != nil { return refusal = nil }
    guard let session else { violated("Can't cancel a non-existing write transaction.") }
    self.session = nil
    session.rollback()
    takeBack()
  }

  /// Invalidates what a transaction that left nothing had added.
  private func takeBack() {
    nestedPlaces.cancel(transactionNumber)
    cancelled[transactionNumber] = Dictionary(
      snapshotCatalog.classes.map { ($0.table, snapshot?.nextRow(of: $0.table) ?? RowKey(0)) },
      uniquingKeysWith: { first, _ in first })
    changedEverything()
    updateAccesses()
    asyncWrites.resume(self)
  }
}

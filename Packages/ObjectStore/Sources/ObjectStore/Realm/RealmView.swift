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
  let isFrozen: Bool
  /// What inlined reads look at.
  let state: UnsafeMutablePointer<ViewState>
  /// Leads here without keeping the view.
  let weakly = WeakView()
  /// What is read outside of write transactions; nil until the first read, and after ``invalidate()``.
  private(set) var snapshot: Snapshot?
  private(set) var session: WriteSession? {
    didSet { state.pointee.birth = session == nil ? 0 : transactionNumber }
  }
  private var snapshotCatalog = Catalog.empty
  private var accesses: [ObjectIdentifier: ClassAccess] = [:]
  private var lastAccess: ClassAccess?
  private var knownSchema: (revision: UInt64, classes: Int, schema: Schema)?
  private let frozenLock = NSRecursiveLock()
  /// Grows with every change that results must take up.
  private(set) var dataVersion: UInt64 = 0
  private var clusterEpoch: UInt64 = 0
  private var deletionCount: UInt64 = 0
  private var transactionNumber: UInt64 = 0
  var autorefresh = true
  /// How objects met while adding are added themselves.
  var promotionRules: (policy: Realm.UpdatePolicy, skipsUnassigned: Bool, copiesForeign: Bool) = (.error, false, false)
  lazy var notifier = Notifier(self)
  /// For each cancelled transaction, the row keys from which on its rows never came to be.
  private var cancelled: [UInt64: [TableID: RowKey]] = [:]

  init(
    _ file: RealmFile, _ configuration: Realm.Configuration, _ confinement: Confinement,
    frozen snapshot: Snapshot? = nil
  ) throws {
    self.file = file
    self.configuration = configuration
    self.confinement = confinement
    isFrozen = snapshot != nil
    state = .allocate(capacity: 1)
    state.initialize(to: ViewState(self))
    state.pointee.isFrozen = isFrozen
    weakly.view = self
    if case .thread(let thread) = confinement { state.pointee.thread = thread }
    if let snapshot {
      self.snapshot = snapshot
      snapshotCatalog = try file.catalog(of: snapshot)
    }
  }

  deinit {
    session?.rollback()
    state.pointee.liveObjects.deallocate()
    state.deallocate()
  }

  /// Whether a row that was met in a transaction went away with it.
  func wasCancelled(_ row: RowKey, _ table: TableID, birth: UInt64) -> Bool {
    guard birth != 0, let first = cancelled[birth] else { return false }
    return row >= first[table] ?? RowKey(0)
  }

  func checkConfinement() { confinement.check() }

  // MARK: Reading

  /// What is read now; begins to read when nothing was read yet.
  var reader: any StorageReader {
    if let session { return session.transaction }
    if let snapshot { return snapshot }
    storageMustWork { try advance(to: file.store.latestSnapshot()) }
    guard let snapshot else { violated("The realm has no version to read.") }
    return snapshot
  }

  /// The cluster of a row as it is now.
  func cluster(_ row: RowKey, _ table: TableID) -> Cluster? {
    guard row.rawValue >= 0 else { return nil }
    return storageMustWork {
      if let session { return try session.transaction.cluster(row.clusterIndex, of: table) }
      return try snapshot?.cluster(row.clusterIndex, of: table)
    }
  }

  /// What is read now; nil after the view was invalidated.
  var readerIfAny: (any StorageReader)? { session?.transaction ?? snapshot }

  var catalog: Catalog {
    if let session { return session.writer.catalog }
    if snapshot == nil { _ = reader }
    return snapshotCatalog
  }

  var frame: Frame { Frame(reader, catalog) }

  /// Moves to a snapshot.
  func advance(to next: Snapshot) throws {
    let nextCatalog = try file.catalog(of: next)
    let isNewCatalog = nextCatalog !== snapshotCatalog
    snapshot = next
    snapshotCatalog = nextCatalog
    if isNewCatalog { updateAccesses() }
    changedEverything()
  }

  /// Makes clusters and results found earlier out of date.
  private func changedEverything() {
    state.pointee.epoch &+= 1
    state.pointee.deletions &+= 1
    dataVersion &+= 1
  }

  /// Drops the snapshot: live objects and collections are invalid from here on.
  func invalidate() {
    if session != nil { cancelWrite() }
    snapshot = nil
    state.pointee.generation &+= 1
    changedEverything()
  }

  /// Grows with every ``invalidate()``; what was made before is invalid.
  var detachedGeneration: UInt64 { state.pointee.generation }

  /// The transaction in which something is made live now; 0 outside of transactions.
  var birth: UInt64 { state.pointee.birth }

  // MARK: Classes

  func access(_ type: ObjectBase.Type) -> ClassAccess {
    if let lastAccess, lastAccess.binding.type == type { return lastAccess }
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    let found = lookUp(type)
    if !isFrozen { lastAccess = found }
    return found
  }

  private func lookUp(_ type: ObjectBase.Type) -> ClassAccess {
    if let known = accesses[ObjectIdentifier(type)] { return known }
    let binding = ClassBinding.of(type)
    let name = type.className()
    if catalog[name] == nil || !isOpenedWith(binding) { addLate(binding) }
    guard let layout = catalog[name] else {
      violated("Object type '\(name)' is not managed by the Realm. Name it in the configuration's objectTypes.")
    }
    let access = ClassAccess(self, binding, layout)
    accesses[ObjectIdentifier(type)] = access
    return access
  }

  /// Whether the class was looked at when the realm was opened.
  private func isOpenedWith(_ binding: ClassBinding) -> Bool {
    guard let layout = catalog[binding.type.className()] else { return false }
    return binding.declaration.schema.properties.allSatisfy {
      $0.type == .linkingObjects || layout.field($0.columnName) != nil
    }
  }

  func updateAccesses() {
    let catalog = self.catalog
    for access in accesses.values {
      if let layout = catalog[access.layout.name] { access.update(layout, catalog) }
    }
  }

  /// Brings a class that was not known when the realm was opened into the file.
  private func addLate(_ binding: ClassBinding) {
    guard !isFrozen, !configuration.readOnly, configuration.objectTypes == nil else { return }
    let model = ModelSchema([binding.type], isClosed: false)
    storageMustWork {
      let plan = SchemaPlan(model.schema, catalog)
      guard !plan.isEmpty else { return }
      rule(
        !plan.isDestructive && plan.newProperties.isEmpty,
        "Migration is required due to the following errors:\n\(plan.description)\nName the class in objectTypes, so that it is known when the realm is opened."
      )
      if let session {
        try session.writer.addWhatIsNew(plan)
        noteChanges(session)
      } else {
        try file.write { try $0.writer.addWhatIsNew(SchemaPlan(model.schema, $0.writer.catalog)) }
        try advance(to: file.store.latestSnapshot())
      }
      updateAccesses()
    }
  }

  // MARK: Queries

  /// The classes as queries see them: as the program declares them where it does, as the file has them otherwise.
  var querySchema: Schema {
    let catalog = self.catalog
    if let known = knownSchema, known.revision == catalog.revision, known.classes == accesses.count {
      return known.schema
    }
    var declared: [String: ObjectSchema] = [:]
    for binding in ModelSchema(accesses.values.map(\.binding.type), isClosed: false).bindings {
      declared[binding.declaration.schema.className] = binding.declaration.schema
    }
    let schema = Schema(frame.schema.objectSchema.map { declared[$0.className] ?? $0 })
    knownSchema = (catalog.revision, accesses.count, schema)
    querySchemaRevision &+= 1
    return schema
  }

  /// Grows whenever ``querySchema`` becomes another.
  private(set) var querySchemaRevision: UInt64 = 0

  // MARK: Objects

  /// The live object of a row.
  func object<T: ObjectBase>(_ type: T.Type, _ row: RowKey) -> T {
    unsafeDowncast(live(type, row), to: T.self)
  }

  /// The live object of a row; it is of the type that is asked for.
  func live(_ type: ObjectBase.Type, _ row: RowKey) -> ObjectBase {
    let object = type.init()
    object.attach(access(type), row)
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
    let writer = self.writer
    guard writer.recorder == nil else { return nil }
    if let cached = access.writer, cached.transaction == transactionNumber { return cached.writer }
    let table = storageMustWork { try writer.writer(access.layout) }
    access.writer = (transactionNumber, table)
    return table
  }

  /// Notes a change that was made directly.
  func wrote() {
    guard let session else { return }
    session.writer.changed()
    noteChanges(session)
  }

  private func noteChanges(_ session: WriteSession) {
    dataVersion &+= 1
    if session.writer.deletionCount != deletionCount {
      deletionCount = session.writer.deletionCount
      state.pointee.deletions &+= 1
    }
    let epoch = session.transaction.clusterEpoch
    if epoch != clusterEpoch {
      clusterEpoch = epoch
      state.pointee.epoch &+= 1
    }
  }

  /// Runs changes through the store writer.
  func modify<R>(_ body: (StoreWriter) throws -> R) -> R {
    checkConfinement()
    let writer = self.writer
    let revision = writer.catalog.revision
    let result = storageMustWork { try body(writer) }
    if writer.catalog.revision != revision { updateAccesses() }
    if let session { noteChanges(session) }
    return result
  }

  func beginWrite() throws {
    checkConfinement()
    rule(!isFrozen, "Can't perform transactions on a frozen Realm.")
    rule(!configuration.readOnly, "Can't perform transactions on read-only Realms.")
    rule(session == nil, "The Realm is already in a write transaction.")
    let session = try translatingErrors { try WriteSession(file) }
    do {
      if snapshot == nil || snapshot?.version != session.transaction.version {
        try refreshBeforeWriting(session)
      }
    } catch {
      session.rollback()
      throw error
    }
    transactionNumber &+= 1
    self.session = session
    clusterEpoch = session.transaction.clusterEpoch
    if session.writer.catalog.revision != snapshotCatalog.revision { updateAccesses() }
    changedEverything()
  }

  /// A transaction builds on the newest version; what is live moves there first, and hears of it.
  private func refreshBeforeWriting(_ session: WriteSession) throws {
    let latest = try file.store.latestSnapshot()
    try notifier.move(to: latest)
  }

  func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
    checkConfinement()
    guard let session else { violated("Can't commit a non-existing write transaction.") }
    self.session = nil
    let next: Snapshot
    do { next = try session.commit() } catch {
      changedEverything()
      updateAccesses()
      throw error
    }
    try notifier.committed(next, withoutNotifying: tokens)
  }

  func cancelWrite() {
    checkConfinement()
    guard let session else { violated("Can't cancel a non-existing write transaction.") }
    self.session = nil
    session.rollback()
    cancelled[transactionNumber] = Dictionary(
      snapshotCatalog.classes.map { ($0.table, snapshot?.nextRow(of: $0.table) ?? RowKey(0)) },
      uniquingKeysWith: { first, _ in first })
    changedEverything()
    updateAccesses()
  }
}

import Dispatch
import StorageEngine
import RecordStore

extension RealmView {
  /// The writer of the open transaction.
  var writer: StoreWriter {
    guard let session else { violated("Cannot modify managed objects outside of a write transaction.") }
    return session.writer
  }

  /// The writer for cells without index or links; nil while changes are recorded.
  func plainWriter(_ access: ClassAccess) -> TableWriter? {
    guard let writer = session?.writer, writer.recorder == nil else { return nil }
    if let cached = access.writer, cached.transaction == transactionNumber { return cached.writer }
    guard let table = reading(or: nil, { try writer.writer(access.layout) }) else { return nil }
    access.keep(table, transactionNumber)
    return table
  }

  /// Makes results stale after a change that did not go through ``modify(_:)``.
  func wrote() {
    if let session { noteChanges(session) }
  }

  /// Joins the transaction of a migration: the view shows it and writes in it.
  func beginMigration(_ session: WriteSession, _ schema: Schema) {
    migratedSchema = schema
    transactionNumber &+= 1
    stage = .writing(session)
    state.pointee.clusterEpoch = session.transaction.clusterEpoch
    deletionCount = session.writer.deletionCount
  }

  /// Leaves the transaction of a migration, which goes on. The view's objects and collections become invalid.
  func endMigration() {
    stage = .reading
    migratedSchema = nil
    invalidate()
  }

  /// Stops the program in a migration: its transaction is not the program's to end, and its objects must not outlive
  /// it.
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
    // Deleting a row changes a cluster of the transaction in place, so the epoch alone does not tell.
    if hasDeleted || epoch != state.pointee.clusterEpoch {
      state.pointee.clusterEpoch = epoch
      state.pointee.epoch &+= 1
    }
  }

  /// Runs changes in the open transaction. A failure is thrown by the commit.
  func modify(_ body: (StoreWriter) throws -> Void) { modify(or: (), body) }

  /// Runs changes in the open transaction, with a result; `blank` when they fail, or when the transaction could not
  /// begin.
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
    notifier.deliverPending()
    let session = try translatingErrors { try newestSession() }
    rule(!isWriting, "The Realm is already in a write transaction.")
    if changesetListener != nil, session.writer.recorder == nil { session.writer.recorder = ChangesetRecorder() }
    transactionNumber &+= 1
    stage = .writing(session)
    state.pointee.clusterEpoch = session.transaction.clusterEpoch
    deletionCount = session.writer.deletionCount
    if session.writer.catalog.revision != snapshotCatalog.revision { updateAccesses() }
    // The transaction begins with the rows of the snapshot: a view that was behind has moved there above.
    changedEverything(keepsRows: true)
  }

  /// Begins a transaction through an API that cannot throw; the commit throws the error instead.
  func beginWriteOrRefuse() {
    do { try beginWrite() } catch {
      log(.error, "A write transaction could not begin. \(error)")
      stage = .refused(error)
    }
    keepThroughTurn()
  }

  /// Keeps a view of the main thread until its transaction ends, or else until the main queue's next turn: a program may
  /// begin a transaction with one instance of the realm and end it with another.
  private func keepThroughTurn() {
    guard case .main = confinement else { return }
    let number = transactionNumber
    keptByTransaction = self
    let view = weakReference
    DispatchQueue.main.async {
      if view.view?.transactionNumber == number { view.view?.keptByTransaction = nil }
    }
  }

  /// A transaction on the newest version, to which the view has moved and of which its observers have been told.
  ///
  /// Observers are called without the write lock, since a handler may write or wait for a writer; then the transaction
  /// begins again. After ``catchUpLimit`` attempts that another writer overtook, the view moves under the lock and its
  /// observers are called later. Without observers the first attempt succeeds.
  private func newestSession() throws -> WriteSession {
    var attempt = 0
    while true {
      let session = try WriteSession(file)
      if let snapshot, snapshot.version == session.transaction.version { return session }
      do {
        if attempt == Self.catchUpLimit || !notifier.hasObservers {
          try advance(to: file.store.latestSnapshot())
          if notifier.hasObservers { notifier.wake() }
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

  /// The number of times that other writers may overtake a transaction that is about to begin.
  private static var catchUpLimit: Int { 8 }

  func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
    checkConfinement()
    checkNotMigrating()
    keptByTransaction = nil
    let session: WriteSession
    switch stage {
    case .reading: violated("Can't commit a non-existing write transaction.")
    case .refused(let error):
      stage = .reading
      throw error
    case .writing(let open):
      stage = .reading
      session = open
    }
    let next: Snapshot
    let (base, baseCatalog) = (snapshot, snapshotCatalog)
    do {
      do { try faults.check() } catch {
        session.rollback()
        throw error
      }
      next = try session.commit()
    } catch {
      // As if it had been cancelled: the objects it added become invalid, and waiting transactions are resumed.
      discardAdditions()
      throw error
    }
    try passOnChangeset(of: session, from: base, baseCatalog, to: next)
    log(.trace, "DB: Committed version \(next.version.rawValue) of \(configuration).")
    let isOwn = next.version == session.transaction.madeVersion
    ownVersion = isOwn ? next.version : nil
    try notifier.committed(
      next, keepsRows: isOwn && session.writer.deletionCount == deletionCount, withoutNotifying: tokens)
    asyncWrites.resume(self)
  }

  func cancelWrite() {
    checkConfinement()
    checkNotMigrating()
    keptByTransaction = nil
    switch stage {
    case .reading: violated("Can't cancel a non-existing write transaction.")
    case .refused: stage = .reading
    case .writing(let session):
      stage = .reading
      session.rollback()
      discardAdditions()
    }
  }

  /// Invalidates the objects that a cancelled transaction added, and resumes waiting transactions.
  private func discardAdditions() {
    nestedCollections.cancel(transactionNumber)
    cancelled[transactionNumber] = Dictionary(
      snapshotCatalog.classes.map { ($0.table, snapshot?.nextRow(of: $0.table) ?? RowKey(0)) },
      uniquingKeysWith: { first, _ in first })
    changedEverything()
    updateAccesses()
    asyncWrites.resume(self)
  }
}

/// A write transaction: the only way to change a store. It commits as a whole or leaves nothing.
///
/// One write transaction runs at a time, over all processes. For one thread at a time. Its reads include its writes. A
/// transaction that is dropped without ``commit()`` rolls back. After a failure of the disk it goes on in memory, and
/// ``commit()`` throws the failure; logs throw it at once.
///
///     let transaction = try store.beginWrite()
///     let people = try transaction.createTable("Person")
///     let age = try transaction.addColumn("age", .int, to: people)
///     let writer = try transaction.writer(of: people)
///     try writer.setInt(42, age, row: try writer.insertRow())
///     let version = try transaction.commit()           // version 2
public final class WriteTransaction: StorageReader {
  let owner: Store
  let base: RootPage
  /// The root row of ``base``.
  let replaced: RootRow
  let state: TransactionState
  /// The table writers that were used, by table number.
  var writers: [TableWriter?] = []
  var nextTable: Int
  var nextIndex: Int
  /// The index writers that were used, by index number, each with its table.
  // Unchecked: every new index entry reads it, on the one thread of the transaction, and no access encloses another.
  // Serves store.insert-1m.
  @exclusivity(unchecked) var indexes: [(writer: IndexWriter, table: TableID)?] = []
  var records: [String: Int64]
  var names: [String: TableID]
  var areTablesChanged = false
  var areRecordsChanged = false
  var areLogsChanged = false
  /// See ``logs``; nil until they are used.
  var madeLogs: LogStates?
  /// The version that the commit made; nil before, and when there was nothing to commit.
  public private(set) var madeVersion: SnapshotVersion?

  init(owner: Store, base: RootPage, replacing replaced: RootRow, store: NodeStore) {
    self.owner = owner
    self.base = base
    self.replaced = replaced
    state = TransactionState(store: store)
    nextTable = base.nextTable
    nextIndex = base.nextIndex
    records = base.records.nodes
    names = base.names
  }

  deinit { rollback() }

  /// The version that the transaction builds on.
  public var version: SnapshotVersion { SnapshotVersion(base.version) }

  /// Grows whenever a ``Cluster`` obtained earlier from this transaction may have been replaced by another, so that one
  /// comparison validates pointers that the caller keeps. Writes into a cluster that the transaction owns change it in
  /// place and do not count.
  public var clusterEpoch: UInt64 { state.epoch }

  /// Commits: all changes are durable when the call returns. The transaction is over.
  ///
  /// - Returns: the version that the commit made. A transaction that changed nothing makes none and returns the
  ///   version it built on; one that changed only logs makes one.
  /// - Throws: ``StorageError`` with code `diskFull`, `ioFailed`, `locked` or `corrupt`; no change was made then, and
  ///   the transaction is over.
  /// - Complexity: O(changed nodes), and one sync of the disk.
  @discardableResult public func commit() throws -> SnapshotVersion {
    try finish(reading: false).version
  }

  /// Commits, and returns the snapshot of the new version, or of the latest one when there was nothing to commit.
  ///
  /// - Throws: ``StorageError`` as ``commit()``.
  public func commitAndRead() throws -> Snapshot {
    guard let snapshot = try finish(reading: true).snapshot else { return try owner.latestSnapshot() }
    return snapshot
  }

  /// Discards all changes; the transaction is over. Harmless when it already is.
  public func rollback() {
    guard !state.isOver else { return }
    state.isOver = true
    owner.abandon(self)
  }

  private var isSchemaChanged: Bool { areTablesChanged || writers.contains { $0?.isDefinitionChanged ?? false } }

  private func finish(reading: Bool) throws -> (version: SnapshotVersion, snapshot: Snapshot?) {
    state.checkOpen()
    do {
      try state.store.checkDisk()
      guard let tables = try finishTables() else {
        rollback()
        return (version, nil)
      }
      let next = base.version + 1
      let records = areRecordsChanged ? RootRecords(records, version: next) : base.records
      let logs = try areLogsChanged ? logs.finish() : base.logs ?? .empty
      let pending = try state.store.settle(used: RootPage.size(tables, records, logs))
      try state.store.checkDisk()
      let root = RootPage(
        version: next, nextNode: state.store.next, nextTable: nextTable, nextIndex: nextIndex, tables: tables,
        records: records, logs: logs, pending: pending, schemaOf: isSchemaChanged ? nil : base)
      let snapshot = try owner.conclude(self, root: root, reading: reading)
      state.isOver = true
      madeVersion = SnapshotVersion(root.version)
      return (SnapshotVersion(root.version), snapshot)
    } catch {
      rollback()
      throw error
    }
  }

  /// Writes the changed tables; returns all tables of the new version, or nil when nothing changed.
  private func finishTables() throws -> [TableState?]? {
    let count = writers.count { $0?.isToBeFinished ?? false }
    guard count > 0 || areTablesChanged || areRecordsChanged || areLogsChanged else { return nil }
    var tables = base.tables
    while tables.count < nextTable { tables.append(nil) }
    var hot: TableState?
    for writer in writers {
      guard let writer, writer.isToBeFinished else { continue }
      let table = try writer.finish(mayBeInline: count == 1)
      tables[writer.id.rawValue] = table
      if table?.inlineContent != nil { hot = table }
    }
    // The root page holds one table node at most: that of the table changed last.
    guard let hot else { return tables }
    for (number, table) in tables.enumerated() {
      if let table, table !== hot, table.inlineContent != nil { tables[number] = try table.writtenOut(state.store) }
    }
    return tables
  }
}

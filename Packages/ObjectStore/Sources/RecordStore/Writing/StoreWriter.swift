import ChangesetOT
import DataModel
import StorageEngine

/// Changes a realm file within one write transaction, and keeps everything that depends on the change: indexes,
/// backlinks, embedded objects, unresolved links and the recording.
///
/// Callers have checked types and ranges; what arrives here is done.
package final class StoreWriter {
  package let transaction: WriteTransaction
  package private(set) var catalog: Catalog
  /// Notes what happens; nil when nothing is to be recorded.
  package var recorder: ChangesetRecorder?
  /// Counts the changes; results evaluated at another count are out of date.
  private(set) var changeCount: UInt64 = 0
  /// Counts the rows that went.
  package private(set) var deletionCount: UInt64 = 0
  private var catalogChanged = false
  /// Names of objects that do not exist, by their rows, which lost a link. They stay until the end: a value that was read
  /// before may be written again.
  private var loosenedNames: [RowKey: TableID] = [:]
  /// Whether links to objects that come and go may wait for ``settleLinks()``: while changesets are applied, which see
  /// objects by their keys.
  var defersLinks = false
  var deferred = DeferredLinks()
  /// Link positions of collections whose targets are being deleted.
  var linkPositions: [CellAddress: LinkPositions] = [:]
  var work = WorkMeter()
  private var knownIdent: FileIdent?

  init(_ transaction: WriteTransaction, catalog: Catalog, recorder: ChangesetRecorder? = nil) {
    self.transaction = transaction
    self.catalog = catalog
    self.recorder = recorder
  }

  /// The state with the changes so far.
  package var readView: ReadView { ReadView(transaction, catalog) }

  /// ``ReadView/ownIdent()``, looked up once: a transaction that stores another ident makes no objects.
  func ownIdent() throws -> FileIdent {
    if let knownIdent { return knownIdent }
    let ident = try readView.ownIdent()
    knownIdent = ident
    return ident
  }

  func changed() { changeCount &+= 1 }

  func deleted() {
    changeCount &+= 1
    deletionCount &+= 1
  }

  package func setCatalog(_ catalog: Catalog) {
    self.catalog = catalog
    catalogChanged = true
    changed()
  }

  /// Adds a class to the catalog, or replaces one; see ``Catalog/put(_:adding:)``.
  package func putClass(_ layout: ClassLayout, adding field: FieldLayout? = nil) {
    ownCatalog()
    catalog.put(layout, adding: field)
    catalogChanged = true
    changed()
  }

  func removeClass(_ layout: ClassLayout) {
    ownCatalog()
    catalog.remove(layout)
    catalogChanged = true
    changed()
  }

  /// Other holders of the catalog keep it unchanged.
  private func ownCatalog() {
    guard !isKnownUniquelyReferenced(&catalog) else { return }
    work.count(catalog.classes.count)
    catalog = catalog.copy()
  }

  /// The writer of a class's table.
  package func writer(_ layout: ClassLayout) throws -> TableWriter { try writer(layout.table) }

  func writer(_ table: TableID) throws -> TableWriter { try transaction.writer(of: table) }

  /// A link to the name of an object that does not exist is gone.
  func loosened(_ name: RowKey, of table: TableID) { loosenedNames[name] = table }

  /// Drops the names that nothing links to any more, and puts a changed catalog into the transaction. To be called once,
  /// before it commits.
  func finish() throws {
    try settleLinks()
    if !loosenedNames.isEmpty {
      for (name, table) in loosenedNames.sorted(by: { $0.key < $1.key }) { try forgetIfIdle(name, of: table) }
      loosenedNames = [:]
    }
    guard catalogChanged else { return }
    try transaction.setRootRecord(Catalog.recordName, catalog.encoded())
    catalogChanged = false
  }

  // MARK: Index entries

  package func insert(_ key: IndexKey, _ row: RowKey, _ index: IndexID) throws {
    switch key {
    case .int(let value): try transaction.insert(value, row: row, into: index)
    case .bytes(let bytes): try transaction.insert(bytes, row: row, into: index)
    }
  }

  func remove(_ key: IndexKey, _ row: RowKey, _ index: IndexID) throws {
    switch key {
    case .int(let value): try transaction.remove(value, row: row, from: index)
    case .bytes(let bytes): try transaction.remove(bytes, row: row, from: index)
    }
  }
}

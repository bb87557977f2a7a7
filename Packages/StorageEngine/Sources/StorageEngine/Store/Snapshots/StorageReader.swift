/// The reads that a ``Snapshot`` and a ``WriteTransaction`` have in common.
///
/// The reads of a write transaction include its writes. A ``Cluster`` or reader obtained from a write transaction may
/// be out of date after its next write: ask again. A snapshot may be read from any thread, a transaction from its own.
public protocol StorageReader {
  /// The version read; for a write transaction the version it builds on.
  var version: SnapshotVersion { get }
  /// All tables, ascending by ``TableID``.
  var tables: [TableDefinition] { get }
  func table(_ id: TableID) -> TableDefinition?
  func table(named name: String) -> TableDefinition?
  /// Live rows.
  ///
  /// - Complexity: O(1).
  func rowCount(of table: TableID) -> Int
  /// Clusters are numbered below this.
  func clusterCount(of table: TableID) -> Int
  /// The key that the next inserted row would have.
  func nextRow(of table: TableID) -> RowKey
  /// The cluster with this number; nil where no row lives.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged, and with other codes when the file cannot
  ///   be read.
  func cluster(_ index: Int, of table: TableID) throws -> Cluster?
  /// The version of the root records: readers of one store with the same version have the same records. Nil where the
  /// running transaction changed them.
  var recordsVersion: SnapshotVersion? { get }
  /// The bytes of a root record; nil when there are none.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when its node is damaged.
  func rootRecord(_ name: String) throws -> [UInt8]?
  /// The list in a list cell; empty when null or never set.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged.
  func list(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredList
  /// The map in a map cell; empty when null or never set.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged.
  func map(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredMap
  /// The entries of an index; its kind decides which of the reader's methods apply.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index: the layer above found it in the
  ///   file, so the file contradicts itself.
  func index(_ id: IndexID) throws -> IndexReader
  /// The least row with this key in an index of kind ``IndexKind/int``; nil when there is none. Faster than the index's
  /// reader.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index, or a page is damaged.
  /// - Complexity: O(log n) in the entries of the index.
  func firstRow(_ key: Int64, in index: IndexID) throws -> RowKey?
}

extension StorageReader {
  /// The cluster that holds `row`; nil where no row lives. The row itself may be dead.
  ///
  /// - Throws: ``StorageError`` as ``cluster(_:of:)``.
  @inlinable public func cluster(of row: RowKey, in table: TableID) throws -> Cluster? {
    row.rawValue < 0 ? nil : try cluster(row.clusterIndex, of: table)
  }

  /// Whether `row` lives.
  ///
  /// - Throws: ``StorageError`` as ``cluster(_:of:)``.
  @inlinable public func contains(_ row: RowKey, in table: TableID) throws -> Bool {
    try cluster(of: row, in: table)?.isAlive(row.slot) ?? false
  }

  /// Calls `body` with every cluster that has live rows, ascending.
  ///
  /// - Throws: the error of `body`, and ``StorageError`` as ``cluster(_:of:)``.
  /// - Complexity: O(clusters).
  @inlinable public func forEachCluster(of table: TableID, _ body: (Cluster) throws -> Void) throws {
    for index in 0..<clusterCount(of: table) {
      if let cluster = try cluster(index, of: table) { try body(cluster) }
    }
  }

  /// Calls `body` with the key of every live row, ascending.
  ///
  /// - Throws: the error of `body`, and ``StorageError`` as ``cluster(_:of:)``.
  /// - Complexity: O(rows).
  @inlinable public func forEachRow(of table: TableID, _ body: (RowKey) throws -> Void) throws {
    try forEachCluster(of: table) { cluster in
      try cluster.forEachLiveSlot { try body(RowKey(clusterIndex: cluster.index, slot: $0)) }
    }
  }
}

/// What a ``Snapshot`` and a ``WriteTransaction`` can both be asked.
///
/// A write transaction answers with its own writes included. A ``Cluster`` or reader obtained from a write
/// transaction may stop being current with its next write; ask again.
public protocol StorageReader {
  /// The version read; for a write transaction the version it builds on.
  var version: SnapshotVersion { get }
  /// All tables, ascending by ``TableID``.
  var tables: [TableDefinition] { get }
  func table(_ id: TableID) -> TableDefinition?
  func table(named name: String) -> TableDefinition?
  /// Live rows. O(1).
  func rowCount(of table: TableID) -> Int
  /// Clusters are numbered below this.
  func clusterCount(of table: TableID) -> Int
  /// The key that the next inserted row would have.
  func nextRow(of table: TableID) -> RowKey
  /// The cluster with this number, or nil when no row lives in its range.
  func cluster(_ index: Int, of table: TableID) throws -> Cluster?
  /// Tells whether root records are the same: readers of one store that give the same version have the same records. Nil
  /// where the running transaction changed them.
  var recordsVersion: SnapshotVersion? { get }
  /// The bytes kept in the snapshot under `name`; nil when there are none.
  func rootRecord(_ name: String) throws -> [UInt8]?
  /// The list in a list cell; empty when null or never set.
  func list(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredList
  /// The map in a map cell; empty when null or never set.
  func map(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredMap
  /// The entries of an index, which exists unless the file contradicts itself; its kind decides which of the reader's methods apply.
  func index(_ id: IndexID) throws -> IndexReader
  /// The least row with this key in an index of kind ``IndexKind/int``; nil when there is none. Quicker than asking the
  /// index's reader.
  func firstRow(_ key: Int64, in index: IndexID) throws -> RowKey?
}

/// One table as a snapshot or write transaction sees it.
public struct TableDefinition: Hashable, Sendable {
  public let id: TableID
  public let name: String
  /// Ascending by ``ColumnID``.
  public internal(set) var columns: [ColumnDefinition]
  /// Ascending by ``IndexID``.
  public internal(set) var indexes: [IndexDefinition]

  /// The column of that name; O(columns), so look it up once.
  public func column(named name: String) -> ColumnDefinition? { columns.first { $0.name == name } }
  /// The index of that name.
  public func index(named name: String) -> IndexDefinition? { indexes.first { $0.name == name } }
}

extension StorageReader {
  /// The cluster that holds `row`, or nil when it can have none; the row itself may be dead.
  @inlinable public func cluster(of row: RowKey, in table: TableID) throws -> Cluster? {
    row.rawValue < 0 ? nil : try cluster(row.clusterIndex, of: table)
  }

  /// Whether `row` lives.
  @inlinable public func contains(_ row: RowKey, in table: TableID) throws -> Bool {
    try cluster(of: row, in: table)?.isAlive(row.slot) ?? false
  }

  /// Calls `body` with every cluster that has live rows, ascending.
  @inlinable public func forEachCluster(of table: TableID, _ body: (Cluster) throws -> Void) throws {
    for index in 0..<clusterCount(of: table) {
      if let cluster = try cluster(index, of: table) { try body(cluster) }
    }
  }

  /// Calls `body` with the key of every live row, ascending.
  @inlinable public func forEachRow(of table: TableID, _ body: (RowKey) throws -> Void) throws {
    try forEachCluster(of: table) { cluster in
      try cluster.forEachLiveSlot { try body(RowKey(clusterIndex: cluster.index, slot: $0)) }
    }
  }
}

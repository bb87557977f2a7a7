/// An immutable, consistent view of a store at one version.
///
/// Holding a snapshot costs nothing but disk space: its nodes stay in the file when newer versions replace them, so the
/// file grows up to twice its size for one snapshot, however many versions follow. While another process holds one, all
/// nodes that newer versions replace stay. May be used from any thread.
public final class Snapshot: StorageReader, Sendable {
  let root: RootPage
  let loader: NodeLoader
  /// Nil for a snapshot that needs no nodes of the file.
  let registry: SnapshotRegistry?

  /// - Parameter root: of a version with a registered reader, which the snapshot releases.
  init(root: RootPage, loader: NodeLoader, registry: SnapshotRegistry?) {
    self.root = root
    self.loader = loader
    self.registry = registry
  }

  deinit { registry?.release(root.version) }

  /// The version of the snapshot.
  public var version: SnapshotVersion { SnapshotVersion(root.version) }
  /// All tables, ascending by ``TableID``.
  public var tables: [TableDefinition] { root.tables.compactMap { $0?.definition } }
  /// The table with an identifier; nil when there is none.
  public func table(_ id: TableID) -> TableDefinition? { root.table(id)?.definition }
  /// The table of a name; nil when there is none.
  public func table(named name: String) -> TableDefinition? { root.names[name].flatMap(table) }
  /// Live rows of a table.
  public func rowCount(of table: TableID) -> Int { root.table(table)?.rowCount ?? 0 }
  /// Clusters of a table are numbered below this.
  public func clusterCount(of table: TableID) -> Int { root.table(table)?.clusterCount ?? 0 }
  /// The key that the next inserted row of a table would have.
  public func nextRow(of table: TableID) -> RowKey { RowKey(root.table(table)?.nextRow ?? 0) }

  /// The cluster with a number; nil where no row lives.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged, and with other codes when the file cannot
  ///   be read.
  /// - Complexity: O(1).
  public func cluster(_ index: Int, of table: TableID) throws -> Cluster? {
    try root.withTable(table) { try $0.clusterMap.cluster(index, loader) }
  }

  /// Prefetches the memory of a row that was read before, for a caller that reads the row a little later. Never reads
  /// the disk. Serves store.follow-links and store.key-lookups.
  public func prefetch(_ row: RowKey, of table: TableID) { root.withTable(table) { $0.clusterMap.prefetch(row) } }

  /// The version that last changed the root records, as far as this process knows.
  public var recordsVersion: SnapshotVersion? { SnapshotVersion(root.records.version) }

  /// The bytes of a root record; nil when there are none.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when its node is damaged.
  public func rootRecord(_ name: String) throws -> [UInt8]? {
    try root.records.nodes[name].map { try loader.node($0, BytesNode.self).bytes }
  }

  /// The list in a list cell; empty when null or never set.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged.
  public func list(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredList {
    guard let cluster = try cluster(of: row, in: table) else { return .empty(loader) }
    return try StoredList(try ListCell(cluster, column, row.slot), loader: loader)
  }

  /// The map in a map cell; empty when null or never set.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a node is damaged.
  public func map(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredMap {
    guard let cluster = try cluster(of: row, in: table) else { return StoredMap(.empty, loader: loader) }
    return StoredMap(try MapCell(cluster, column, row.slot), loader: loader)
  }

  /// The entries of an index.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index.
  public func index(_ id: IndexID) throws -> IndexReader {
    guard let (table, position) = root.location(of: id), let state = root.tables[table] else {
      throw StorageError.damage("Index \(id.rawValue) is referred to and does not exist.")
    }
    return state.indexes[position].reader(loader)
  }

  /// The least row with this key in an index of kind ``IndexKind/int``; nil when there is none.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when there is no such index, or a page is damaged.
  /// - Complexity: O(log n) in the entries of the index.
  public func firstRow(_ key: Int64, in id: IndexID) throws -> RowKey? {
    guard let location = root.location(of: id) else {
      throw StorageError.damage("Index \(id.rawValue) is referred to and does not exist.")
    }
    let found = try root.withTable(TableID(location.table)) { try $0.firstRow(key, location.position, loader) }
    switch found ?? .unknown {
    case .found(let row): return row
    case .absent: return nil
    case .unknown: return try index(id).firstRow(key)
    }
  }
}

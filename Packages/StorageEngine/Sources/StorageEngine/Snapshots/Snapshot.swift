/// An immutable, consistent view of a store at one version, pinned until the last reference to it is gone.
///
/// Holding a snapshot costs nothing but disk space: its nodes stay in the file when newer versions replace them, so the
/// file grows up to twice its size for one snapshot, however many versions follow. While another process holds one, all
/// that newer versions replace stays. Any number of threads may read a snapshot at once.
public final class Snapshot: StorageReader, Sendable {
  let root: RootState
  let loader: NodeLoader
  /// Nil for a snapshot that needs nothing of the file.
  let pins: PinBoard?

  /// - Parameter root: pinned already; the snapshot takes the pin over.
  init(root: RootState, loader: NodeLoader, pins: PinBoard?) {
    self.root = root
    self.loader = loader
    self.pins = pins
  }

  deinit { pins?.unpin(root.version) }

  public var version: SnapshotVersion { SnapshotVersion(root.version) }
  public var tables: [TableDefinition] { root.tables.compactMap { $0?.definition } }
  public func table(_ id: TableID) -> TableDefinition? { root.table(id)?.definition }
  public func table(named name: String) -> TableDefinition? { root.names[name].flatMap(table) }
  public func rowCount(of table: TableID) -> Int { root.table(table)?.rowCount ?? 0 }
  public func clusterCount(of table: TableID) -> Int { root.table(table)?.clusterCount ?? 0 }
  public func nextRow(of table: TableID) -> RowKey { RowKey(root.table(table)?.nextRow ?? 0) }

  public func cluster(_ index: Int, of table: TableID) throws -> Cluster? {
    try root.withTable(table) { try $0.directory.cluster(index, loader) }
  }

  /// Asks the processor to bring a row nearer, for who is about to read it and does something else before. Never waits for
  /// the disk.
  public func prefetch(_ row: RowKey, of table: TableID) { root.withTable(table) { $0.directory.prefetch(row) } }

  public var recordsVersion: SnapshotVersion? { SnapshotVersion(root.records.version) }

  public func rootRecord(_ name: String) throws -> [UInt8]? {
    try root.records.nodes[name].map { try loader.node($0, BytesNode.self).bytes }
  }

  public func list(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredList {
    guard let cluster = try cluster(of: row, in: table) else { return .empty(loader) }
    return try StoredList(try ListCell(cluster, column, row.slot), loader: loader)
  }

  public func map(_ column: ColumnID, row: RowKey, of table: TableID) throws -> StoredMap {
    guard let cluster = try cluster(of: row, in: table) else { return StoredMap(.empty, loader: loader) }
    return StoredMap(try MapCell(cluster, column, row.slot), loader: loader)
  }

  public func index(_ id: IndexID) throws -> IndexReader {
    guard let (table, position) = root.place(of: id), let state = root.tables[table] else {
      throw StorageError.damage("Index \(id.rawValue) is referred to and does not exist.")
    }
    return state.indexes[position].reader(loader)
  }

  /// The least row with this key in an index of kind ``IndexKind/int``; nil when there is none.
  public func firstRow(_ key: Int64, in id: IndexID) throws -> RowKey? {
    guard let place = root.place(of: id) else {
      throw StorageError.damage("Index \(id.rawValue) is referred to and does not exist.")
    }
    let found = try root.withTable(TableID(place.table)) { try $0.firstRow(key, place.position, loader) }
    return try found ?? index(id).firstRow(key)
  }
}

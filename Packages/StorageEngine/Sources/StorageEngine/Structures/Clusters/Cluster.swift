/// The rows `index * 256 ..< index * 256 + 256` of one table, column by column.
///
/// A cluster is a cached node. Once committed it never changes, so any thread may read it for as long as it is held;
/// one that belongs to a running ``WriteTransaction`` changes with it and must only be read there.
///
///     let cluster = try snapshot.cluster(of: row, in: table)
///     cluster?.int(column, slot: row.slot)             // 42
///
/// Reads are a load from an array: no locks, no reference counting, and no slot or column, however wrong,
/// reads outside the cluster. To read through a raw pointer, hold the cluster meanwhile.
public final class Cluster: CachedNode, @unchecked Sendable {
  // @unchecked: all state is written before the cluster is published and never afterwards; while it belongs to a
  // write transaction, which is not Sendable, only that transaction sees it.

  /// The number of the cluster in its table: row key / 256.
  public let index: Int
  /// One entry per column number; numbers at or above ``columnCount`` are columns added later.
  @usableFromInline let columns: UnsafeMutablePointer<ClusterColumn>
  /// Columns known to this cluster.
  public let columnCount: Int
  /// 4 × UInt64, one bit per slot, set where a row lives.
  public let alive: UnsafeMutablePointer<UInt64>

  /// 4 × UInt64, one bit per slot, set where the cluster may differ from the node ``fullNode``.
  let patched: UnsafeMutablePointer<UInt64>
  /// The columns in which rows that live in both may differ from that node; see ``bit(of:)``.
  // Unchecked: every write of a cell uses it, always on the one thread of the transaction. Serves store.property-write
  // and store.insert-1m.
  @exclusivity(unchecked) var patchedColumns: UInt64 = 0
  /// While it belongs to a write transaction: the first slot that a row was inserted into; 256 for none.
  // Unchecked: every write of a cell uses it, as above. Serves the same rows.
  @exclusivity(unchecked) var firstInserted = 256
  let storage: UnsafeMutableRawPointer
  let storageSize: Int
  /// Bytes of the storage before the heaps that lie in it.
  let cellsSize: Int
  /// The node this was read from or written to; 0 while it belongs to a write transaction.
  var node: Int64 = 0
  /// The node that holds the whole cluster, when ``node`` is a patch of it; else equal to ``node``. While the cluster
  /// belongs to a write transaction: the node that a patch may build on, or 0.
  var fullNode: Int64 = 0
  /// While it belongs to a write transaction: the nodes that it replaces.
  var replacedNodes = ClusterNodes()
  /// Reads cells that lie in nodes of their own.
  let source: NodeSource

  /// - Parameter storage: laid out as `Cluster.empty` does.
  init(
    index: Int, columnCount: Int, storage: UnsafeMutableRawPointer, storageSize: Int, cellsSize: Int, source: NodeSource
  ) {
    self.index = index
    self.columnCount = columnCount
    columns = (storage + Self.firstColumn).assumingMemoryBound(to: ClusterColumn.self)
    alive = storage.assumingMemoryBound(to: UInt64.self)
    patched = alive + 4
    self.storage = storage
    self.storageSize = storageSize
    self.cellsSize = cellsSize
    self.source = source
  }

  /// The nodes that hold this cluster.
  var nodes: ClusterNodes {
    fullNode == node || fullNode == 0 ? ClusterNodes(whole: node) : ClusterNodes(whole: fullNode, patch: node)
  }

  override var byteCost: Int {
    var cost = storageSize + 192
    for number in 0..<columnCount where columns[number].ownsHeap { cost += Int(columns[number].heapCapacity) }
    return cost
  }

  deinit {
    for number in 0..<columnCount where columns[number].ownsHeap { columns[number].heap?.deallocate() }
    storage.deallocate()
  }

  /// Whether a row lives in `slot`.
  @inlinable public func isAlive(_ slot: Int) -> Bool {
    alive[(slot >> 6) & 3] >> UInt64(slot & 63) & 1 != 0
  }

  /// Live rows in this cluster.
  public var rowCount: Int {
    alive[0].nonzeroBitCount + alive[1].nonzeroBitCount + alive[2].nonzeroBitCount + alive[3].nonzeroBitCount
  }

  /// The cells of a column, or nil when the column was added after this cluster was written: all its cells are
  /// then null, or zero and empty where the column is not nullable.
  @inlinable public func column(_ id: ColumnID) -> ClusterColumn? {
    guard id.rawValue >= 0, id.rawValue < columnCount else { return nil }
    let column = columns[id.rawValue]
    return column.isPresent ? column : nil
  }
}

/// The nodes that hold a cluster; 0 for none.
struct ClusterNodes {
  var whole: Int64 = 0
  var patch: Int64 = 0
}

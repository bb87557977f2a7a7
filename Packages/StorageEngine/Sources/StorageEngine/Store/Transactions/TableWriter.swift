/// Writes rows and cells of one table within a ``WriteTransaction``. For the thread of the transaction; invalid once
/// that is over.
///
/// A row that is written must live. Setting a value clears null; `setNull` on a column that is not nullable is a
/// programmer error, as is the setter of another type.
///
///     let writer = try transaction.writer(of: people)
///     let row = try writer.insertRow()
///     try writer.setString("Ada", name, row: row)
public final class TableWriter {
  /// The state that every write of a cell uses.
  struct Hot {
    /// The cluster written last, unretained, and its number: ``TableWriter/changed`` retains the clusters that the
    /// transaction owns, and whatever removes one from there forgets it here. Serves store.property-write.
    var cluster: Unmanaged<Cluster>?
    var index = -1
    var nextRow: Int64 = 0
    var rowCount = 0
    /// Owned clusters, each at its number modulo ``ownedWidth``; nil until there are several.
    /// Unretained, as above. Serves store.update-100k.
    var owned: UnsafeMutablePointer<(index: Int, cluster: Unmanaged<Cluster>?)>?
  }

  static let ownedWidth = 4096

  let id: TableID
  let transaction: TransactionState
  let base: TableState?

  // Unchecked: every write of a cell uses it, on the one thread of the transaction, and no access encloses another.
  // Serves store.property-write and store.insert-1m.
  @exclusivity(unchecked) var hot = Hot()
  var definition: TableDefinition
  var nextColumn: Int
  // Unchecked, as above: every insertion reads them. Serves store.insert-1m.
  @exclusivity(unchecked) var shapes: ColumnShapes
  /// Whether owned clusters may lack columns of the table.
  var areShapesChanged = false
  var changed = ChangedClusters()
  var ownedCount = 0
  /// Bytes of owned clusters, without heaps that grew.
  var ownedBytes = 0
  /// Clusters filled by insertion, in order, that may be written out.
  var finished: [Int] = []
  var lists: [CellKey: ListEditor] = [:]
  var maps: [CellKey: MapEditor] = [:]
  /// The indexes that were used, by position in ``definition``.
  var indexes: [IndexWriter?] = []
  var isDefinitionChanged: Bool
  var isDropped = false

  init(id: TableID, name: String, transaction: TransactionState) {
    self.id = id
    self.transaction = transaction
    base = nil
    definition = TableDefinition(id: id, name: name, columns: [], indexes: [])
    nextColumn = 0
    shapes = ColumnShapes([], next: 0)
    isDefinitionChanged = true
  }

  init(_ base: TableState, transaction: TransactionState) {
    id = base.id
    self.transaction = transaction
    self.base = base
    definition = base.definition
    nextColumn = base.nextColumn
    shapes = base.shapes ?? ColumnShapes(base.definition.columns, next: base.nextColumn)
    isDefinitionChanged = false
    hot = Hot(nextRow: base.nextRow, rowCount: base.rowCount)
  }

  deinit { hot.owned?.deallocate() }

  /// The table that the writer belongs to.
  public var table: TableID { id }
  /// Live rows.
  public var rowCount: Int { hot.rowCount }
  /// See ``WriteTransaction/clusterEpoch``.
  public var clusterEpoch: UInt64 { transaction.epoch }
  var store: NodeStore { transaction.store }
  var loader: NodeLoader { transaction.store.loader }
  var clusterCount: Int { Int((hot.nextRow + 255) >> 8) }
}

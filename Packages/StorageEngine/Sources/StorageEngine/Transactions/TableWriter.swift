/// Writes rows and cells of one table within a ``WriteTransaction``; invalid once that is over.
///
/// A row that is written must live. Setting a value clears null; `setNull` on a column that is not nullable is a
/// programmer error, as is the setter of another type.
///
///     let writer = try transaction.writer(of: people)
///     let row = try writer.insertRow()
///     try writer.setString("Ada", name, row: row)
public final class TableWriter {
  /// A cluster that this transaction changed: in memory, or written out already, or (neither) without rows.
  struct Overlay {
    var cluster: Cluster?
    var written: NodeSlot?
  }

  /// Fields of the hot path, behind a pointer so that they cost no exclusivity checks.
  struct Hot {
    /// The cluster last written, and its number.
    var cluster: Unmanaged<Cluster>?
    var index = -1
    var nextRow: Int64 = 0
    var rowCount = 0
    /// Clusters that the transaction owns, each at its number modulo ``ownedWidth``; nil until there are several.
    var owned: UnsafeMutablePointer<(index: Int, cluster: Unmanaged<Cluster>?)>?
  }

  static let ownedWidth = 4096

  let id: TableID
  let transaction: TransactionState
  let base: TableState?
  let hot: UnsafeMutablePointer<Hot>

  var definition: TableDefinition
  var nextColumn: Int
  /// By column number; nil where the table has none.
  var shapes: [ColumnShape?] = []
  var presentShapes: [ColumnShape] = []
  var overlay: [Int: Overlay] = [:]
  var ownedCount = 0
  /// Clusters filled up by insertion, in order, that wait to be written out.
  var finished: [Int] = []
  var lists: [CellKey: ListEditor] = [:]
  var maps: [CellKey: MapEditor] = [:]
  /// Indexes that were used.
  var indexes: [IndexID: IndexWriter] = [:]
  var isDefinitionChanged: Bool
  var isDropped = false

  init(id: TableID, name: String, transaction: TransactionState) {
    self.id = id
    self.transaction = transaction
    base = nil
    definition = TableDefinition(id: id, name: name, columns: [], indexes: [])
    nextColumn = 0
    isDefinitionChanged = true
    hot = .allocate(capacity: 1)
    hot.initialize(to: Hot())
  }

  init(_ base: TableState, transaction: TransactionState) {
    id = base.id
    self.transaction = transaction
    self.base = base
    definition = base.definition
    nextColumn = base.nextColumn
    isDefinitionChanged = false
    hot = .allocate(capacity: 1)
    hot.initialize(to: Hot(nextRow: base.nextRow, rowCount: base.rowCount))
    updateShapes()
  }

  deinit {
    hot.pointee.owned?.deallocate()
    hot.deallocate()
  }

  /// The table written to.
  public var table: TableID { id }
  /// Live rows.
  public var rowCount: Int { hot.pointee.rowCount }
  /// See ``WriteTransaction/clusterEpoch``.
  public var clusterEpoch: UInt64 { transaction.epoch }
  var store: NodeStore { transaction.store }
  var loader: NodeLoader { transaction.store.loader }
  var clusterCount: Int { Int((hot.pointee.nextRow + 255) >> 8) }

  func updateShapes() {
    presentShapes = definition.columns.map { ColumnShape(id: $0.id.rawValue, type: $0.type, isNullable: $0.isNullable) }
    shapes = Array(repeating: nil, count: nextColumn)
    for shape in presentShapes { shapes[shape.id] = shape }
  }
}

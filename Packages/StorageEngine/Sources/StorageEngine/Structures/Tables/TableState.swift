/// One table at one version, ready to be read. May be used from any thread.
final class TableState: Sendable {
  let id: TableID
  /// The number of the table node; a reserved number when ``inlineContent`` is not nil.
  let node: Int64
  /// The content of the table node, when the root page holds it: that of the table which the last commit changed, so
  /// that consecutive commits to one table write it once each, with the root page.
  let inlineContent: [UInt8]?
  let definition: TableDefinition
  let nextColumn: Int
  /// Nil until the table is written to after it was read from the file.
  let shapes: ColumnShapes?
  /// In the order of ``definition``.
  let indexes: [TableIndex]
  let rowCount: Int
  let nextRow: Int64
  let clusterMap: ClusterMap

  /// - Parameters:
  ///   - node: the number of the table node.
  ///   - indexes: in the order of the definition.
  init(
    _ definition: TableDefinition, nextColumn: Int, _ rows: Rows, indexes: [TableIndex], node: Int64,
    inlineContent: [UInt8]?, shapes: ColumnShapes? = nil
  ) {
    id = definition.id
    self.node = node
    self.inlineContent = inlineContent
    self.definition = definition
    self.nextColumn = nextColumn
    self.shapes = shapes
    self.indexes = indexes
    rowCount = rows.count
    nextRow = rows.next
    clusterMap = rows.clusterMap
  }

  /// The table that a node describes, sharing unchanged parts with `earlier`.
  ///
  /// - Parameter inlineContent: the content of the node, when the root page holds it.
  convenience init(
    id: TableID, node number: Int64, inlineContent: [UInt8]? = nil, loader: NodeLoader, earlier: TableState?
  ) throws {
    let node =
      try inlineContent.map { content in
        try content.withUnsafeBytes { bytes in
          var reader = NodeReader(bytes, node: number)
          guard try reader.byte() == NodeKind.table.rawValue else { throw reader.damage("it is of another kind") }
          return try TableNode.decode(&reader, id: number, loader: loader)
        }
      } ?? loader.node(number, TableNode.self)
    let columns = ColumnTypes(id, node.columns, next: node.nextColumn)
    let clusterMap = try ClusterMap(node.clusterMap, columns, loader: loader, following: earlier?.clusterMap)
    self.init(
      TableDefinition(id: id, name: node.name, columns: node.columns, indexes: node.indexes),
      nextColumn: node.nextColumn, Rows(count: node.rowCount, next: node.nextRow, clusterMap: clusterMap),
      indexes: node.states.map { TableIndex($0, loader) }, node: number, inlineContent: inlineContent)
  }

  /// The part that differs between two versions of a table of which only rows changed.
  struct Rows {
    var count: Int
    var next: Int64
    var clusterMap: ClusterMap
  }

  /// The next version, of which only rows changed.
  func with(_ rows: Rows, node: Int64, inlineContent: [UInt8]?, _ shapes: ColumnShapes?) -> TableState {
    TableState(
      definition, nextColumn: nextColumn, rows, indexes: indexes, node: node, inlineContent: inlineContent,
      shapes: shapes)
  }

  /// Writes the table node, when the root page holds it, and returns the same table without inline content.
  func writtenOut(_ store: NodeStore) throws -> TableState {
    guard let inlineContent else { return self }
    try store.write(NodeWriter(content: inlineContent), reserved: node)
    let rows = Rows(count: rowCount, next: nextRow, clusterMap: clusterMap)
    return with(rows, node: node, inlineContent: nil, shapes)
  }

  /// The least row with a key in the index of integers at a position.
  func firstRow(_ key: Int64, _ position: Int, _ loader: NodeLoader) throws -> Lookup {
    // Unmanaged: the constant `indexes` retain it. Serves store.key-lookups.
    guard let lookup = indexes[position].lookup.map({ Unmanaged.passUnretained($0) }) else { return .unknown }
    return try lookup._withUnsafeGuaranteedRef { try $0.firstRow(key, loader) }
  }

  /// An index of this table; nil when it has no such index.
  func index(_ index: IndexID) -> TableIndex? {
    definition.indexes.firstIndex { $0.id == index }.map { indexes[$0] }
  }

  var clusterCount: Int { Int((nextRow + 255) >> 8) }
}

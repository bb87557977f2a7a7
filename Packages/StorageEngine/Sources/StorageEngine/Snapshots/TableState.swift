/// One table at one version, ready to be read.
final class TableState: Sendable {
  let id: TableID
  /// The number of the node that says all this; that of a node not written when ``inlineContent`` is there.
  let node: Int64
  /// The content of the table node, when the root holds it: that of the table which the last commit changed, so that
  /// commits to one table in a row write it once each, with the root.
  let inlineContent: [UInt8]?
  let definition: TableDefinition
  let nextColumn: Int
  /// What the next version of the node may take over; nil when this one was read from the file.
  let content: TableNode.Content?
  /// Nil when nobody wrote to the table since it was read from the file.
  let shapes: ColumnShapes?
  /// In their order in ``definition``.
  let indexes: [TableIndex]
  let rowCount: Int
  let nextRow: Int64
  let directory: Directory

  /// - Parameters:
  ///   - node: its number.
  ///   - indexes: in their order in the definition.
  init(
    _ definition: TableDefinition, nextColumn: Int, _ rows: Rows, indexes: [TableIndex], node: Int64,
    inlineContent: [UInt8]?, shapes: ColumnShapes? = nil
  ) {
    id = definition.id
    self.node = node
    self.inlineContent = inlineContent
    self.definition = definition
    self.nextColumn = nextColumn
    content = rows.content
    self.shapes = shapes
    self.indexes = indexes
    rowCount = rows.count
    nextRow = rows.next
    directory = rows.directory
  }

  /// The table that a node describes, taking over what `earlier` has in memory.
  ///
  /// - Parameter inlineContent: what the node says, when the root holds it.
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
    let directory = try Directory(node.directory, columns, loader: loader, following: earlier?.directory)
    self.init(
      TableDefinition(id: id, name: node.name, columns: node.columns, indexes: node.indexes),
      nextColumn: node.nextColumn, Rows(count: node.rowCount, next: node.nextRow, directory: directory),
      indexes: node.states.map { TableIndex($0, loader) }, node: number, inlineContent: inlineContent)
  }

  /// What differs between two versions of a table of which only rows changed.
  struct Rows {
    var count: Int
    var next: Int64
    var directory: Directory
    var content: TableNode.Content?
  }

  /// The next version, in which nothing but rows changed.
  func with(_ rows: Rows, node: Int64, inlineContent: [UInt8]?, _ shapes: ColumnShapes?) -> TableState {
    TableState(
      definition, nextColumn: nextColumn, rows, indexes: indexes, node: node, inlineContent: inlineContent,
      shapes: shapes)
  }

  /// The same table with its node in the file, which this writes.
  func writtenOut(_ store: NodeStore) throws -> TableState {
    guard let inlineContent else { return self }
    try store.write(NodeWriter(content: inlineContent), reserved: node)
    let rows = Rows(count: rowCount, next: nextRow, directory: directory, content: content)
    return with(rows, node: node, inlineContent: nil, shapes)
  }

  /// The least row with a key in the index of integers at a place, or none; nil of the outer kind when it has to be
  /// looked for in the index.
  @inline(__always) func firstRow(_ key: Int64, _ position: Int, _ loader: NodeLoader) throws -> RowKey?? {
    guard let lookup = indexes[position].lookup.map({ Unmanaged.passUnretained($0) }) else { return nil }
    return try lookup._withUnsafeGuaranteedRef { try $0.firstRow(key, loader) }
  }

  /// An index of this table; nil when it has no such index.
  func index(_ index: IndexID) -> TableIndex? {
    definition.indexes.firstIndex { $0.id == index }.map { indexes[$0] }
  }

  var clusterCount: Int { Int((nextRow + 255) >> 8) }
}

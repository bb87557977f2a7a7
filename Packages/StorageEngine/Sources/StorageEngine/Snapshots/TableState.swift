/// One table at one version, ready to be read.
final class TableState: Sendable {
  let id: TableID
  /// The node that says all this.
  let node: Int64
  let definition: TableDefinition
  let nextColumn: Int
  /// In their order in ``definition``.
  let indexes: [IndexState]
  let indexSlots: [NodeSlot?]
  let rowCount: Int
  let nextRow: Int64
  let directory: Directory

  init(
    id: TableID, node: Int64, definition: TableDefinition, nextColumn: Int, indexes: [IndexState], rowCount: Int,
    nextRow: Int64, directory: Directory, loader: NodeLoader
  ) {
    self.id = id
    self.node = node
    self.definition = definition
    self.nextColumn = nextColumn
    self.indexes = indexes
    indexSlots = indexes.map { $0.root.node == 0 ? nil : loader.cache.slot($0.root.node) }
    self.rowCount = rowCount
    self.nextRow = nextRow
    self.directory = directory
  }

  /// The table that a node describes, taking over what `earlier` has in memory.
  convenience init(id: TableID, node number: Int64, loader: NodeLoader, earlier: TableState?) throws {
    let node = try loader.node(number, TableNode.self)
    let directory = try Directory(node.directory, loader: loader)
    if let earlier { directory.takeLeaves(from: earlier.directory) }
    self.init(
      id: id, node: number,
      definition: TableDefinition(id: id, name: node.name, columns: node.columns, indexes: node.indexes),
      nextColumn: node.nextColumn, indexes: node.states, rowCount: node.rowCount, nextRow: node.nextRow,
      directory: directory, loader: loader)
  }

  var clusterCount: Int { Int((nextRow + 255) >> 8) }

  func column(_ id: ColumnID) -> ColumnDefinition? { definition.columns.first { $0.id == id } }
}

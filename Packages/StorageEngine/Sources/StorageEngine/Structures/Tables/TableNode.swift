// The content of a table node:
//
//     name                 string
//     next column          varint
//     columns              varint, then for each: number, name, type (1 byte), nullable (1 byte), target + 1, attributes
//     indexes              varint, then for each: number, name, kind (1 byte), root, delta
//     rows, next row       varint each
//     cluster map          see ``ClusterMap``

/// The decoded node of a table.
final class TableNode: CachedNode, DecodableNode, @unchecked Sendable {
  // @unchecked: everything is constant.
  let name: String
  let nextColumn: Int
  let columns: [ColumnDefinition]
  let indexes: [IndexDefinition]
  let states: [IndexState]
  let rowCount: Int
  let nextRow: Int64
  let clusterMap: ClusterMap.Description

  init(
    name: String, nextColumn: Int, columns: [ColumnDefinition], indexes: [IndexDefinition], states: [IndexState],
    rowCount: Int, nextRow: Int64, clusterMap: ClusterMap.Description
  ) {
    self.name = name
    self.nextColumn = nextColumn
    self.columns = columns
    self.indexes = indexes
    self.states = states
    self.rowCount = rowCount
    self.nextRow = nextRow
    self.clusterMap = clusterMap
  }

  static var kind: NodeKind { .table }
  /// Indexes of a table: up to three for each of its 4,096 columns.
  static let indexLimit = 1 << 14
  override var byteCost: Int { 256 + columns.count * 64 + indexes.count * 64 }

  /// The content of the node of a table.
  ///
  /// - Parameter states: the indexes in the order of the definition.
  static func content(
    of definition: TableDefinition, nextColumn: Int, rowCount: Int, nextRow: Int64,
    _ clusterMap: ClusterMap.Description, _ states: [IndexState]
  ) -> [UInt8] {
    var writer = NodeWriter(kind, capacity: 256 + clusterMap.pages.count * 8 + clusterMap.delta.entries.count * 8)
    writer.string(definition.name)
    writer.count(nextColumn)
    writer.count(definition.columns.count)
    for column in definition.columns {
      writer.count(column.id.rawValue)
      writer.string(column.name)
      writer.byte(column.type.rawValue)
      writer.byte(column.isNullable ? 1 : 0)
      writer.count((column.target?.rawValue ?? -1) + 1)
      writer.varint(column.attributes)
    }
    writer.count(definition.indexes.count)
    for (index, state) in zip(definition.indexes, states) {
      writer.count(index.id.rawValue)
      writer.string(index.name)
      writer.byte(index.kind.rawValue)
      state.encode(into: &writer)
    }
    writer.count(rowCount)
    writer.count(Int(nextRow))
    clusterMap.encode(into: &writer)
    return writer.bytes
  }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> TableNode {
    let name = try reader.string()
    let nextColumn = try reader.count(limit: 4096)
    var columns: [ColumnDefinition] = []
    for _ in 0..<(try reader.count(limit: 4096)) {
      let number = try reader.count(limit: 4095)
      guard number < nextColumn else { throw reader.damage("a column has an impossible number") }
      let name = try reader.string()
      guard let type = ColumnType(rawValue: try reader.byte()) else {
        throw reader.damage("a column has an unknown type")
      }
      let isNullable = try reader.byte() != 0
      let target = try reader.count(limit: 1 << 40)
      columns.append(
        ColumnDefinition(
          id: ColumnID(number), name: name, type: type, isNullable: isNullable,
          target: target == 0 ? nil : TableID(target - 1), attributes: try reader.varint()))
    }
    var indexes: [IndexDefinition] = []
    var states: [IndexState] = []
    for _ in 0..<(try reader.count(limit: Self.indexLimit)) {
      let number = try reader.count(limit: 1 << 40)
      let name = try reader.string()
      guard let kind = IndexKind(rawValue: try reader.byte()) else {
        throw reader.damage("an index has an unknown kind")
      }
      indexes.append(IndexDefinition(id: IndexID(number), name: name, kind: kind))
      states.append(try IndexState(kind, &reader))
    }
    let rowCount = try reader.count(limit: 1 << 48)
    let nextRow = Int64(try reader.count(limit: 1 << 56))
    let clusterMap = try ClusterMap.decode(&reader)
    guard nextRow <= Int64(clusterMap.count) << (ClusterMapLeaf.bits + 8) else {
      throw reader.damage("its cluster map is too short")
    }
    try reader.finish()
    return TableNode(
      name: name, nextColumn: nextColumn, columns: columns, indexes: indexes, states: states, rowCount: rowCount,
      nextRow: nextRow, clusterMap: clusterMap)
  }
}

// The content of a table node:
//
//     name                 string
//     next column          varint
//     columns              varint, then for each: number, name, type (1 byte), nullable (1 byte), target + 1, attributes
//     indexes              varint, then for each: number, name, kind (1 byte), root, overlay
//     rows, next row       varint each
//     directory            see ``Directory``

/// What the node of a table says.
final class TableNode: CachedNode, DecodableNode, @unchecked Sendable {
  // @unchecked: everything is constant.
  let name: String
  let nextColumn: Int
  let columns: [ColumnDefinition]
  let indexes: [IndexDefinition]
  let states: [IndexState]
  let rowCount: Int
  let nextRow: Int64
  let directory: Directory.Description

  init(
    name: String, nextColumn: Int, columns: [ColumnDefinition], indexes: [IndexDefinition], states: [IndexState],
    rowCount: Int, nextRow: Int64, directory: Directory.Description
  ) {
    self.name = name
    self.nextColumn = nextColumn
    self.columns = columns
    self.indexes = indexes
    self.states = states
    self.rowCount = rowCount
    self.nextRow = nextRow
    self.directory = directory
  }

  static var kind: NodeKind { .table }
  override var byteCost: Int { 256 + columns.count * 64 + indexes.count * 64 }

  /// The parts of the content that a later version takes over where they stay the same.
  struct Pieces: Sendable {
    /// Name and columns.
    let head: [UInt8]
    /// One for each index, in their order.
    let indexes: [[UInt8]]
    /// What they make together: all of the content before the rows.
    private let joined: [UInt8]

    init(head: [UInt8], indexes: [[UInt8]]) {
      self.head = head
      self.indexes = indexes
      var writer = NodeWriter(.table, capacity: indexes.reduce(head.count + 16) { $0 + $1.count })
      writer.raw(head)
      writer.count(indexes.count)
      for index in indexes { writer.raw(index) }
      joined = writer.bytes
    }

    /// The content of a node of which they are parts.
    func encoded(_ rowCount: Int, _ nextRow: Int64, _ directory: Directory.Description) -> NodeWriter {
      var writer = NodeWriter(
        capacity: joined.count + 64 + directory.pages.count * 8 + directory.overlay.entries.count * 8)
      writer.raw(joined)
      writer.count(rowCount)
      writer.count(Int(nextRow))
      directory.encode(into: &writer)
      return writer
    }
  }

  /// - Parameters:
  ///   - old: those of an earlier version with the same name and columns.
  ///   - isKept: for each index, whether it is as in the earlier version.
  func pieces(keeping old: Pieces? = nil, _ isKept: [Bool] = []) -> Pieces {
    let parts = indexes.indices.map { position in
      if let old, isKept[position] { return old.indexes[position] }
      return encodedIndex(position)
    }
    return Pieces(head: old?.head ?? encodedHead(), indexes: parts)
  }

  private func encodedHead() -> [UInt8] {
    var writer = NodeWriter()
    writer.string(name)
    writer.count(nextColumn)
    writer.count(columns.count)
    for column in columns {
      writer.count(column.id.rawValue)
      writer.string(column.name)
      writer.byte(column.type.rawValue)
      writer.byte(column.isNullable ? 1 : 0)
      writer.count((column.target?.rawValue ?? -1) + 1)
      writer.varint(column.attributes)
    }
    return writer.bytes
  }

  private func encodedIndex(_ position: Int) -> [UInt8] {
    let index = indexes[position]
    var writer = NodeWriter()
    writer.count(index.id.rawValue)
    writer.string(index.name)
    writer.byte(index.kind.rawValue)
    states[position].encode(into: &writer)
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
    for _ in 0..<(try reader.count(limit: 4096)) {
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
    let directory = try Directory.decode(&reader)
    guard nextRow <= Int64(directory.count) << (DirectoryLeaf.bits + 8) else {
      throw reader.damage("its directory is too short")
    }
    try reader.finish()
    return TableNode(
      name: name, nextColumn: nextColumn, columns: columns, indexes: indexes, states: states, rowCount: rowCount,
      nextRow: nextRow, directory: directory)
  }
}

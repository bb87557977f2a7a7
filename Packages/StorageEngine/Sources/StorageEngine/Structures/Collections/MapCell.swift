/// The decoded content of a map cell.
enum MapCell {
  case inline(BytesBlock)
  case tree(TreeRoot)

  static var empty: MapCell { .inline(BytesBlock()) }

  /// The content of the cell.
  var content: [UInt8] {
    switch self {
    case .tree(let root):
      var writer = NodeWriter(capacity: 16)
      writer.byte(1)
      root.encode(into: &writer)
      return writer.bytes
    case .inline(let block):
      guard block.count > 0 else { return [] }
      var writer = NodeWriter(capacity: block.cost + 8)
      writer.byte(0)
      writer.count(block.count)
      for index in 0..<block.count { block.encode(index, into: &writer) }
      return writer.bytes
    }
  }

  init(_ cluster: Cluster, _ column: ColumnID, _ slot: Int) throws {
    self = try cluster.withBytes(column, slot: slot) { try MapCell($0) }
  }

  init(_ content: UnsafeRawBufferPointer) throws {
    self = .empty
    guard !content.isEmpty else { return }
    var reader = NodeReader(content, node: 0)
    guard try reader.byte() == 0 else {
      self = .tree(try TreeRoot(&reader))
      return
    }
    var block = BytesBlock()
    for _ in 0..<(try reader.count(limit: content.count)) {
      let key = Array(try reader.take(try reader.count(limit: reader.remaining)))
      let start = reader.position
      try StoredValueCoding.skip(&reader)
      block.append(key, Array(content[start..<reader.position]))
    }
    self = .inline(block)
  }
}

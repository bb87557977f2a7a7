// The content of a list cell: 00 count elements, one behind the other; or 01 and the root of a tree.
// The content of a map cell:  00 count (key length, key, value)…;      or 01 and the root of a tree.

/// Bytes above which a collection is stored as a tree.
let inlineCollectionLimit = 512

/// The decoded content of a list cell.
enum ListCell {
  case empty
  case inline(ListNode)
  case tree(TreeRoot)

  init(_ cluster: Cluster, _ column: ColumnID, _ slot: Int) throws {
    self = try cluster.withBytes(column, slot: slot) { try ListCell($0) }
  }

  init(_ content: UnsafeRawBufferPointer) throws {
    guard !content.isEmpty else {
      self = .empty
      return
    }
    var reader = NodeReader(content, node: 0)
    guard try reader.byte() == 0 else {
      self = .tree(try TreeRoot(&reader))
      return
    }
    let node = ListNode()
    for _ in 0..<(try reader.count(limit: content.count)) {
      let start = reader.position
      try StoredValueCoding.skip(&reader)
      node.append(UnsafeRawBufferPointer(rebasing: content[start..<reader.position]))
    }
    self = .inline(node)
  }
}

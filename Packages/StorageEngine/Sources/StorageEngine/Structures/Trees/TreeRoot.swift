/// The root of a tree: a value in a table node or a cell.
struct TreeRoot: Hashable, Sendable {
  /// The number of the root node; 0 for the empty tree.
  var node: Int64 = 0
  var count = 0

  func encode(into writer: inout NodeWriter) {
    writer.count(Int(node))
    writer.count(count)
  }

  init() {}

  init(node: Int64, count: Int) {
    self.node = node
    self.count = count
  }

  init(_ reader: inout NodeReader) throws {
    node = try reader.nodeID()
    count = try reader.count(limit: 1 << 48)
  }
}

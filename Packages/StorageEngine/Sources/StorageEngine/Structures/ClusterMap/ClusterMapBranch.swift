/// A page over up to 64 leaves, in cluster maps of more than ``ClusterMap/directLimit`` leaves.
final class ClusterMapBranch: CachedNode, DecodableNode, @unchecked Sendable {
  // @unchecked: everything is constant.
  static let width = 64
  let leaves: [Int64]

  init(leaves: [Int64]) { self.leaves = leaves }

  override var byteCost: Int { 96 + leaves.count * 8 }
  static var kind: NodeKind { .clusterMapBranch }

  func encoded() -> NodeWriter { ClusterMapPage.encoded(.clusterMapBranch, leaves) }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> ClusterMapBranch {
    ClusterMapBranch(leaves: try ClusterMapPage.children(&reader, id: id, limit: width))
  }
}

/// The content of leaves and branches: the number of children, and their node numbers, 0 where no row lives.
enum ClusterMapPage {
  static func encoded(_ kind: NodeKind, _ children: [Int64]) -> NodeWriter {
    var writer = NodeWriter(kind)
    writer.count(children.count)
    IntegerRunCoding.encode(children, into: &writer)
    return writer
  }

  static func children(_ reader: inout NodeReader, id: Int64, limit: Int) throws -> [Int64] {
    let children = try IntegerRunCoding.decode(&reader, count: try reader.count(limit: limit))
    try reader.finish()
    guard children.allSatisfy({ $0 >= 0 && $0 < id }) else { throw reader.damage("a child is impossible") }
    return children
  }
}

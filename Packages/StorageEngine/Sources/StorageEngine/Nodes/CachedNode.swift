/// A decoded node that the cache may hold: a cluster, a page of a directory, index, list or map, a table.
public class CachedNode: @unchecked Sendable {
  // @unchecked: subclasses state their own argument; this class has no state.
  /// About how many bytes it takes in memory.
  var byteCost: Int { 64 }
}

/// What the content of a node is; its first byte.
enum NodeKind: UInt8 {
  case cluster = 1
  case directoryLeaf = 2
  case directoryBranch = 3
  case table = 4
  case intTree = 5
  case bytesTree = 6
  case listTree = 7
  case bytes = 8
  case clusterPatch = 9
  case intLeafPatch = 10
  case bytesLeafPatch = 11
}

/// A node that can be read from its content.
protocol DecodableNode: CachedNode {
  static var kind: NodeKind { get }
  /// Reads the content after the kind byte. Must not trap on any content.
  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> Self

  /// The kind of nodes that say how one of this kind differs from another; nil when there are none.
  static var patchKind: NodeKind? { get }
  /// Reads the content of such a node, kind byte first. Must not trap on any content.
  static func decodePatch(_ content: [UInt8], id: Int64, loader: NodeLoader) throws -> Self
}

extension DecodableNode {
  static var patchKind: NodeKind? { nil }

  static func decodePatch(_ content: [UInt8], id: Int64, loader: NodeLoader) throws -> Self {
    try content.withUnsafeBytes { throw NodeReader($0, node: id).damage("it is of another kind") }
  }
}

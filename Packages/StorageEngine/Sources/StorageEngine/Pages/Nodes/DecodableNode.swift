/// A node that is decoded from its content.
protocol DecodableNode: CachedNode {
  static var kind: NodeKind { get }
  /// Decodes the content after the kind byte. Throws on damaged content and never traps.
  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> Self

  /// The kind of patches of nodes of this kind; nil when they are always written whole.
  static var patchKind: NodeKind? { get }
  /// Decodes the content of a patch, kind byte first. Throws on damaged content and never traps.
  static func decodePatch(_ content: [UInt8], id: Int64, loader: NodeLoader) throws -> Self
}

extension DecodableNode {
  static var patchKind: NodeKind? { nil }

  static func decodePatch(_ content: [UInt8], id: Int64, loader: NodeLoader) throws -> Self {
    try content.withUnsafeBytes { throw NodeReader($0, node: id).damage("it is of another kind") }
  }
}

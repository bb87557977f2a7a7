/// A node of plain bytes, cached like any other: records of the root are read often.
final class BytesNode: CachedNode, DecodableNode, @unchecked Sendable {
  // @unchecked: everything is constant.
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static var kind: NodeKind { .bytes }
  override var byteCost: Int { 96 + bytes.count }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> BytesNode {
    BytesNode(Array(try reader.take(reader.remaining)))
  }
}

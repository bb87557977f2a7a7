/// The root records of a version: small pieces of bytes that belong to a snapshot, by name.
struct RootRecords: Sendable {
  /// The node of each record.
  let nodes: [String: Int64]
  /// In the form of the root page: their number, then for each its name and node.
  let content: [UInt8]
  /// The version in which this process first met them. Equal numbers mean equal records.
  let version: UInt64

  static let none = RootRecords([:], version: 0)

  init(_ nodes: [String: Int64], version: UInt64) {
    self.nodes = nodes
    self.version = version
    var writer = NodeWriter()
    writer.count(nodes.count)
    for (name, node) in nodes.sorted(by: { $0.key < $1.key }) {
      writer.string(name)
      writer.count(Int(node))
    }
    content = writer.bytes
  }

  /// Decodes records, or shares those of an earlier version where they are the same.
  init(_ reader: inout NodeReader, version: UInt64, earlier: RootRecords?) throws {
    let start = reader.position
    var nodes: [String: Int64] = [:]
    for _ in 0..<(try reader.count(limit: reader.remaining)) {
      let name = try reader.string()
      nodes[name] = try reader.nodeID()
    }
    let content = Array(reader.bytes[start..<reader.position])
    if let earlier, earlier.content == content {
      self = earlier
      return
    }
    self.nodes = nodes
    self.content = content
    self.version = version
  }
}

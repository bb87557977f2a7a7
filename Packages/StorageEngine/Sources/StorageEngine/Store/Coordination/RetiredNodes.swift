/// The nodes that one version replaced.
struct RetiredNodes {
  var version: UInt64
  var ids: [Int64]

  /// The column `recent` of the root row: for each entry its version and its nodes.
  static func encode(_ entries: [RetiredNodes]) -> [UInt8] {
    var writer = NodeWriter()
    for entry in entries {
      writer.varint(entry.version)
      write(entry.ids, into: &writer)
    }
    return writer.bytes
  }

  /// The entries of the column `recent`.
  static func decode(_ content: [UInt8]) throws -> [RetiredNodes] {
    try content.withUnsafeBytes { bytes in
      var reader = NodeReader(bytes, node: 0)
      var entries: [RetiredNodes] = []
      while reader.remaining > 0 {
        let version = try reader.varint()
        guard version > 0 else { throw reader.damage("a version is impossible") }
        entries.append(RetiredNodes(version: version, ids: try ids(&reader)))
      }
      return entries
    }
  }

  /// The column `ids` of the table of retired nodes: their count, then each one's distance from the one before.
  static func encode(_ ids: [Int64]) -> [UInt8] {
    var writer = NodeWriter()
    write(ids, into: &writer)
    return writer.bytes
  }

  /// The nodes of a column `ids`, ascending.
  static func ids(_ content: [UInt8]) throws -> [Int64] {
    try content.withUnsafeBytes { bytes in
      var reader = NodeReader(bytes, node: 0)
      return try ids(&reader)
    }
  }

  private static func write(_ ids: [Int64], into writer: inout NodeWriter) {
    writer.count(ids.count)
    var previous: Int64 = 0
    for id in ids.sorted() {
      writer.count(Int(id - previous))
      previous = id
    }
  }

  private static func ids(_ reader: inout NodeReader) throws -> [Int64] {
    var id: Int64 = 0
    return try (0..<(try reader.count(limit: reader.remaining))).map { _ in
      id += Int64(try reader.count(limit: Int(Int64.max - id)))
      return id
    }
  }
}

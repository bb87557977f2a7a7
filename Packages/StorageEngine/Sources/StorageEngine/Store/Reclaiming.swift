/// Deletes superseded nodes that no snapshot needs.
///
/// A node that version V replaced is needed by snapshots below V only. It is deleted by a commit C when every pin is
/// at or above V **and** a commit before C announced that versions below V may lose nodes. A reader pins first and
/// reads the announcement afterwards, so it either sees the announcement, or is seen.
enum Reclaiming {
  /// Commits between two runs: deleting in batches touches each page once.
  static let interval: UInt64 = 16
  /// Versions whose nodes one run deletes at most, so that no single commit pays for a long reader.
  static let limit = 64
  /// Nodes that the root row names itself.
  static let recentLimit = 256

  static func isDue(_ version: UInt64) -> Bool { version % interval == 0 }

  /// - Parameter recent: nodes not in the table of retired ones yet; empty afterwards.
  static func run(
    _ door: WritingDoor, _ recent: inout [RetiredNodes], through version: UInt64, cache: NodeCache, limit: Int = limit
  ) throws {
    let entries = try door.retired(through: version, limit: limit)
    for (_, ids) in entries { try delete(try RetiredNodes.ids(ids), door, cache) }
    if let last = entries.last { try door.forgetRetired(through: last.version) }
    for entry in recent {
      if entry.version <= version {
        try delete(entry.ids, door, cache)
      } else {
        try door.retire(RetiredNodes.encode(entry.ids), version: entry.version)
      }
    }
    recent = []
  }

  private static func delete(_ ids: [Int64], _ door: WritingDoor, _ cache: NodeCache) throws {
    for id in ids { try door.delete(node: id) }
    cache.remove(ids)
  }
}

/// The nodes that one version replaced.
struct RetiredNodes {
  var version: UInt64
  var ids: [Int64]

  /// Versions and their nodes, one behind the other.
  static func encode(_ entries: [RetiredNodes]) -> [UInt8] {
    var writer = NodeWriter()
    for entry in entries {
      writer.varint(entry.version)
      write(entry.ids, into: &writer)
    }
    return writer.bytes
  }

  static func decode(_ content: [UInt8]) throws -> [RetiredNodes] {
    try content.withUnsafeBytes { bytes in
      var reader = NodeReader(bytes, node: 0)
      var entries: [RetiredNodes] = []
      while reader.remaining > 0 {
        let version = try reader.varint()
        entries.append(RetiredNodes(version: version, ids: try ids(&reader)))
      }
      return entries
    }
  }

  /// Numbers alone, as the table of retired nodes keeps them.
  static func encode(_ ids: [Int64]) -> [UInt8] {
    var writer = NodeWriter()
    write(ids, into: &writer)
    return writer.bytes
  }

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
      id += Int64(try reader.count(limit: 1 << 60))
      return id
    }
  }
}

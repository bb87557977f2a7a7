/// Deletes superseded nodes that no snapshot needs.
///
/// A node that version V replaced is needed by snapshots below V only. It is deleted by a commit C when a commit before
/// C announced that versions below V may lose nodes **and** either every pin is at or above V, or every pin of other
/// processes is and no version pinned in this process has the node.
///
/// A reader of another process pins first and reads the announcement afterwards, so it either sees the announcement, or
/// is seen; announcements therefore never go back. Readers of this process are told by the ``PinBoard``.
struct Reclaiming {
  /// Commits between two runs: deleting in batches touches each page once. Where commits leave more than
  /// ``manyNodes``, which take room, there are ``oftenInterval``.
  static let interval: UInt64 = 64
  static let oftenInterval: UInt64 = 16
  static let manyNodes = 128
  /// Versions whose nodes one run deletes at most, so that no single commit pays for a long reader.
  static let limit = 256
  /// Nodes that the root row names itself.
  static let recentLimit = 256

  /// - Parameter retired: nodes that the commit leaves.
  static func isDue(_ version: UInt64, retired: Int) -> Bool {
    version % (retired > manyNodes ? oftenInterval : interval) == 0
  }

  let door: WritingDoor
  let cache: NodeCache
  let pins: PinBoard
  /// No pin is below this version, and nodes retired up to it were announced.
  let through: UInt64
  /// What this process needs of nodes retired later.
  let pinned: PinnedNodes
  var limit = Reclaiming.limit

  /// - Parameters:
  ///   - announced: what the commit before said may be deleted.
  ///   - oldest: the oldest version that any process needs.
  ///   - ofOthers: the oldest version that another process needs.
  init(
    door: WritingDoor, cache: NodeCache, pins: PinBoard, announced: UInt64, oldest: UInt64, ofOthers: UInt64?
  ) {
    self.door = door
    self.cache = cache
    self.pins = pins
    through = min(announced, oldest)
    pinned = pins.thin(through: min(announced, ofOthers ?? .max))
  }

  /// Moves nodes retired lately, for which the root has no room, to the table of retired ones, where a run finds them.
  static func putAside(_ recent: inout [RetiredNodes], door: WritingDoor, pins: PinBoard) throws {
    for entry in recent { try door.retire(RetiredNodes.encode(entry.ids), version: entry.version) }
    // Pins of this process may need only some of them.
    if let first = recent.first { pins.revisit(from: first.version - 1) }
    recent = []
  }

  /// - Parameter recent: nodes not in the table of retired ones yet; afterwards at most those of the last version.
  func run(_ recent: inout [RetiredNodes]) throws {
    let entries = try door.retired(after: 0, through: through, limit: limit)
    // In the order of the file, so that each of its pages is met once.
    try delete(try entries.flatMap { try RetiredNodes.ids($0.ids) }.sorted())
    if let last = entries.last { try door.forgetRetired(0...last.version) }
    try revisit()
    for entry in recent {
      if entry.version <= through {
        try delete(entry.ids)
        continue
      }
      let needed = try thin(entry.ids, retiredBy: entry.version)
      guard !needed.isEmpty else { continue }
      try door.retire(RetiredNodes.encode(needed), version: entry.version)
      if entry.version > pinned.through { pins.revisit(from: entry.version - 1) }
    }
    recent = []
  }

  /// Looks again at entries that were kept for pins of this process that are gone.
  private func revisit() throws {
    guard let start = pinned.revisit, start < pinned.through else { return }
    let entries = try door.retired(after: max(start, through), through: pinned.through, limit: limit)
    for (version, content) in entries {
      let ids = try RetiredNodes.ids(content)
      let needed = try thin(ids, retiredBy: version)
      if needed.isEmpty {
        try door.forgetRetired(version...version)
      } else if needed.count < ids.count {
        try door.retire(RetiredNodes.encode(needed), version: version)
      }
    }
    pins.visited(start, to: entries.count < limit ? pinned.through : entries.last?.version)
  }

  /// Deletes what no pin needs; returns the rest.
  private func thin(_ ids: [Int64], retiredBy version: UInt64) throws -> [Int64] {
    let needed = pinned.needed(ids, retiredBy: version)
    guard needed.count < ids.count else { return ids }
    let kept = Set(needed)
    try delete(ids.filter { !kept.contains($0) })
    return needed
  }

  /// Neighbours, as nodes of one transaction are, go together.
  private func delete(_ ids: [Int64]) throws {
    var at = 0
    while at < ids.count {
      var end = at + 1
      while end < ids.count, ids[end] == ids[end - 1] + 1 { end += 1 }
      try door.delete(nodes: ids[at]...ids[end - 1])
      at = end
    }
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
        guard version > 0 else { throw reader.damage("a version is impossible") }
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
      id += Int64(try reader.count(limit: Int(Int64.max - id)))
      return id
    }
  }
}

/// Deletes superseded nodes that no snapshot needs.
///
/// A node that version V replaced is needed by snapshots below V only. Commit C deletes the node when a commit before C
/// announced that versions below V may lose nodes **and** either every active reader is at or above V, or every reader of
/// another process is and no version with a reader in this process has the node.
///
/// A reader of another process registers first and reads the announcement afterwards, so the reader either sees the
/// announcement, or is seen; announcements therefore never go back. Readers of this process learn of it from the
/// ``SnapshotRegistry``.
struct NodeReclaimer {
  /// Commits between two runs: deleting in batches touches each page once. Commits that replace more than ``manyNodes``
  /// nodes, which take room, run every ``shortInterval``.
  static let interval: UInt64 = 64
  static let shortInterval: UInt64 = 16
  static let manyNodes = 128
  /// Versions whose nodes one run deletes at most, so that no single commit pays for a long reader.
  static let limit = 256
  /// Retired nodes that the root row lists itself.
  static let recentLimit = 256

  /// Whether the commit of a version runs the reclaimer.
  ///
  /// - Parameter retired: the number of nodes that the commit replaces.
  static func isDue(_ version: UInt64, retired: Int) -> Bool {
    version % (retired > manyNodes ? shortInterval : interval) == 0
  }

  let connection: WriterConnection
  let cache: NodeCache
  let registry: SnapshotRegistry
  /// No reader is below this version, and nodes retired up to it were announced.
  let through: UInt64
  /// Nodes retired later that readers of this process need.
  let inUse: NodesInUse
  var limit = NodeReclaimer.limit

  /// - Parameters:
  ///   - announced: versions below this may lose nodes, as the commit before said.
  ///   - oldest: the oldest version that any process needs.
  ///   - elsewhere: the oldest version that another process needs; nil when none needs any.
  init(
    connection: WriterConnection, cache: NodeCache, registry: SnapshotRegistry, announced: UInt64, oldest: UInt64,
    elsewhere: UInt64?
  ) {
    self.connection = connection
    self.cache = cache
    self.registry = registry
    through = min(announced, oldest)
    inUse = registry.advanceHorizon(to: min(announced, elsewhere ?? .max))
  }

  /// Spills the recently retired nodes, for which the root row has no room, to the table of retired nodes.
  static func spill(
    _ recent: inout [RetiredNodes], connection: WriterConnection, registry: SnapshotRegistry
  ) throws {
    for entry in recent { try connection.retire(RetiredNodes.encode(entry.ids), version: entry.version) }
    // Readers of this process may need only some of them.
    if let first = recent.first { registry.requestRescan(from: first.version - 1) }
    recent = []
  }

  /// Deletes the nodes that no reader needs.
  ///
  /// - Parameter recent: retired nodes that are not in the table of retired nodes; afterwards none.
  func run(_ recent: inout [RetiredNodes]) throws {
    let entries = try connection.retired(after: 0, through: through, limit: limit)
    // In the order of the file, so that each page is met once.
    try delete(try entries.flatMap { try RetiredNodes.ids($0.ids) }.sorted())
    if let last = entries.last { try connection.forgetRetired(0...last.version) }
    try rescan()
    for entry in recent {
      if entry.version <= through {
        try delete(entry.ids)
        continue
      }
      let needed = try reclaim(entry.ids, retiredBy: entry.version)
      guard !needed.isEmpty else { continue }
      try connection.retire(RetiredNodes.encode(needed), version: entry.version)
      if entry.version > inUse.through { registry.requestRescan(from: entry.version - 1) }
    }
    recent = []
  }

  /// Scans again the entries that were kept for readers of this process that ended.
  private func rescan() throws {
    guard let start = inUse.rescanStart, start < inUse.through else { return }
    let entries = try connection.retired(after: max(start, through), through: inUse.through, limit: limit)
    for (version, content) in entries {
      let ids = try RetiredNodes.ids(content)
      let needed = try reclaim(ids, retiredBy: version)
      if needed.isEmpty {
        try connection.forgetRetired(version...version)
      } else if needed.count < ids.count {
        try connection.retire(RetiredNodes.encode(needed), version: version)
      }
    }
    registry.rescanned(from: start, to: entries.count < limit ? inUse.through : entries.last?.version)
  }

  /// Deletes the nodes that no reader needs; returns the rest.
  private func reclaim(_ ids: [Int64], retiredBy version: UInt64) throws -> [Int64] {
    let needed = inUse.needed(ids, retiredBy: version)
    guard needed.count < ids.count else { return ids }
    let kept = Set(needed)
    try delete(ids.filter { !kept.contains($0) })
    return needed
  }

  /// Deletes nodes; consecutive numbers, as the nodes of one transaction have, by one statement.
  private func delete(_ ids: [Int64]) throws {
    var at = 0
    while at < ids.count {
      var end = at + 1
      while end < ids.count, ids[end] == ids[end - 1] + 1 { end += 1 }
      try connection.delete(nodes: ids[at]...ids[end - 1])
      at = end
    }
    cache.remove(ids)
  }
}

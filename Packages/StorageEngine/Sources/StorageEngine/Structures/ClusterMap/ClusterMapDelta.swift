/// The delta of a cluster map: nodes of changed clusters, so that a commit which changes few clusters writes no leaf.
///
///     leaves     page 0: [11, 12, 13, …]   page 1: [75, 76, …]
///     delta      cluster 1: 904            cluster 64: 0
///     read       page 0: [11, 904, 13, …]  page 1: [none, 76, …]
struct ClusterMapDelta: Sendable {
  struct Entry: Equatable, Sendable {
    var cluster: Int
    /// 0 where no row lives any more.
    var node: Int64

    /// The leaf of the cluster, and its entry there.
    var page: Int { cluster >> ClusterMapLeaf.bits }
    var entry: Int { cluster & ClusterMapLeaf.mask }
  }

  /// Entries of a delta at most; a transaction that exceeds it writes the leaves of all.
  static let limit = 32

  /// Ascending by cluster.
  let entries: [Entry]

  static let none = ClusterMapDelta(entries: [])

  /// With newer entries, ascending by cluster.
  func replacing(_ newer: [Entry]) -> ClusterMapDelta {
    var merged: [Entry] = []
    merged.reserveCapacity(entries.count + newer.count)
    var rest = entries[...]
    for entry in newer {
      while let first = rest.first, first.cluster <= entry.cluster {
        if first.cluster < entry.cluster { merged.append(first) }
        rest.removeFirst()
      }
      merged.append(entry)
    }
    merged += rest
    return ClusterMapDelta(entries: merged)
  }

  /// The entries of one page.
  func entries(of page: Int) -> ArraySlice<Entry> {
    let start = entries.firstIndex { $0.page >= page } ?? entries.count
    return entries[start...].prefix { $0.page == page }
  }

  /// The pages whose entries differ from those of another delta, ascending.
  func pages(differingFrom other: ClusterMapDelta) -> [Int] {
    var pages: [Int] = []
    func note(_ entry: Entry) { if pages.last != entry.page { pages.append(entry.page) } }
    var (mine, theirs) = (entries[...], other.entries[...])
    while let left = mine.first ?? theirs.first, let right = theirs.first ?? mine.first {
      if left != right || mine.isEmpty || theirs.isEmpty { note(left.cluster <= right.cluster ? left : right) }
      if left.cluster <= right.cluster { mine = mine.dropFirst() }
      if right.cluster <= left.cluster { theirs = theirs.dropFirst() }
    }
    return pages
  }

  // At the end of the cluster map in the table node, when there are any: how many (varint), then for each the distance
  // of its cluster from the one before (varint) and its node (varint). Files of formats before 5 have none.

  func encode(into writer: inout NodeWriter) {
    guard !entries.isEmpty else { return }
    writer.count(entries.count)
    var previous = 0
    for entry in entries {
      writer.count(entry.cluster - previous)
      writer.count(Int(entry.node))
      previous = entry.cluster
    }
  }

  /// - Parameter clusterLimit: above the numbers of all clusters that the map has room for.
  static func decode(_ reader: inout NodeReader, clusterLimit: Int) throws -> ClusterMapDelta {
    guard reader.remaining > 0 else { return .none }
    var entries: [Entry] = []
    for _ in 0..<(try reader.count(limit: reader.remaining)) {
      let previous = entries.last?.cluster
      let distance = try reader.count(limit: max(clusterLimit - 1 - (previous ?? 0), 0))
      let node = try reader.nodeID()
      guard distance > 0 || previous == nil, (previous ?? 0) + distance < clusterLimit, node < reader.node else {
        throw reader.damage("a cluster of the delta is impossible")
      }
      entries.append(Entry(cluster: (previous ?? 0) + distance, node: node))
    }
    return ClusterMapDelta(entries: entries)
  }
}

/// Segments that are transformed as one list: a union-find structure.
struct SegmentClusters {
  private var parent: [Int]

  init(count: Int) { parent = Array(0..<count) }

  /// The number of the cluster of a segment: its smallest segment.
  mutating func cluster(of segment: Int) -> Int {
    var root = segment
    while parent[root] != root {
      parent[root] = parent[parent[root]]
      root = parent[root]
    }
    return root
  }

  mutating func join(_ left: Int, _ right: Int) {
    let (a, b) = (cluster(of: left), cluster(of: right))
    parent[max(a, b)] = min(a, b)
  }

  /// The segments of every cluster, ascending, at the index of the cluster.
  mutating func members() -> [[Int]] {
    var members = Array(repeating: [Int](), count: parent.count)
    for segment in parent.indices { members[cluster(of: segment)].append(segment) }
    return members
  }
}

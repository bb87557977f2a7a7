extension ClusterMap {
  var description: Description {
    Description(
      count: leaves.count, pages: branches.isEmpty ? leaves : branches, hasBranches: !branches.isEmpty, delta: delta
    )
  }

  // In the table node: leaves (varint), 0 and the leaves' numbers, or 1 and the branches' numbers; then the delta.

  /// The cluster map as a table node stores it.
  struct Description: Sendable {
    var count = 0
    /// Numbers of branches when ``hasBranches``, else of leaves.
    var pages: [Int64] = []
    var hasBranches = false
    var delta = ClusterMapDelta.none

    func encode(into writer: inout NodeWriter) {
      writer.count(count)
      writer.byte(hasBranches ? 1 : 0)
      IntegerRunCoding.encode(pages, into: &writer)
      delta.encode(into: &writer)
    }
  }

  static func decode(_ reader: inout NodeReader) throws -> Description {
    let count = try reader.count(limit: 1 << 24)
    let hasBranches = try reader.byte() == 1
    guard hasBranches || count <= directLimit else { throw reader.damage("a cluster map is too long") }
    let width = ClusterMapBranch.width
    let pages = try IntegerRunCoding.decode(&reader, count: hasBranches ? (count + width - 1) / width : count)
    let delta = try ClusterMapDelta.decode(&reader, clusterLimit: count << ClusterMapLeaf.bits)
    return Description(count: count, pages: pages, hasBranches: hasBranches, delta: delta)
  }

  convenience init(
    _ description: Description, _ columns: ColumnTypes, loader: NodeLoader, following earlier: ClusterMap?
  ) throws {
    guard description.hasBranches else {
      self.init(
        leaves: description.pages, branches: [], delta: description.delta, columns: columns, following: earlier)
      return
    }
    var leaves: [Int64] = []
    for branch in description.pages { leaves += try loader.node(branch, ClusterMapBranch.self).leaves }
    guard leaves.count == description.count else {
      throw StorageError(.corrupt, "A cluster map has the wrong length. Restore the file from a backup or its server.")
    }
    self.init(
      leaves: leaves, branches: description.pages, delta: description.delta, columns: columns, following: earlier)
  }
}

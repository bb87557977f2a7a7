extension TableWriter {
  var isToBeFinished: Bool { isChanged || isDropped }

  private var isChanged: Bool {
    isDefinitionChanged || !changed.isEmpty || !lists.isEmpty || !maps.isEmpty || areIndexesChanged
  }

  private var areIndexesChanged: Bool { indexes.contains { $0?.isChanged ?? false } }

  /// Bytes of a table node that the root page may hold.
  private static let inlineLimit = 2048

  /// Writes the changes; returns the table's new state, nil for a dropped table.
  ///
  /// - Parameter mayBeInline: whether the root page may hold the table node.
  func finish(mayBeInline: Bool) throws -> TableState? {
    if isDropped { return nil }
    guard isChanged else { return base }
    try finishCollections()
    let clusterMap = try finishClusterMap()
    if !store.isSpilled, let base, !isDefinitionChanged {
      for (position, index) in base.indexes.enumerated() where index.state.isLarge {
        try self.index(definition.indexes[position].id)?.shrinkLargeDelta()
      }
    }
    let state =
      if let base, !isDefinitionChanged, !areIndexesChanged {
        try finishRows(of: base, clusterMap, mayBeInline)
      } else {
        try finishAll(clusterMap, mayBeInline)
      }
    try retireBaseNode()
    forgetHotCluster()
    return state
  }

  private func finishRows(of base: TableState, _ clusterMap: ClusterMap, _ mayBeInline: Bool) throws -> TableState {
    let (number, inline) = try put(clusterMap, base.indexes, mayBeInline)
    return base.with(rows(clusterMap), node: number, inlineContent: inline, shapes)
  }

  private func finishAll(_ clusterMap: ClusterMap, _ mayBeInline: Bool) throws -> TableState {
    // An unchanged definition has the indexes at the same positions.
    let earlier = isDefinitionChanged ? nil : base
    let made = try definition.indexes.enumerated().map { position, index in
      if let earlier, !(position < indexes.count && indexes[position]?.isChanged ?? false) {
        return earlier.indexes[position]
      }
      return try finish(index)
    }
    let (number, inline) = try put(clusterMap, made, mayBeInline)
    return TableState(
      definition, nextColumn: nextColumn, rows(clusterMap), indexes: made, node: number, inlineContent: inline,
      shapes: shapes)
  }

  private func rows(_ clusterMap: ClusterMap) -> TableState.Rows {
    TableState.Rows(count: hot.rowCount, next: hot.nextRow, clusterMap: clusterMap)
  }

  /// The index with its changes.
  private func finish(_ index: IndexDefinition) throws -> TableIndex {
    let writer = self.index(index.id) ?? IndexWriter(index.kind, store: store)
    return TableIndex(try writer.finish(), loader, following: base?.index(index.id))
  }

  /// Stores the content of the table node: in the root page where it fits, else in a node.
  private func put(
    _ clusterMap: ClusterMap, _ indexes: [TableIndex], _ mayBeInline: Bool
  ) throws -> (number: Int64, inline: [UInt8]?) {
    let content = TableNode.content(
      of: definition, nextColumn: nextColumn, rowCount: hot.rowCount, nextRow: hot.nextRow, clusterMap.description,
      indexes.map(\.state))
    guard mayBeInline, content.count <= Self.inlineLimit else {
      return (try store.write(NodeWriter(content: content)).id, nil)
    }
    return (store.reserve(), content)
  }

  private func retireBaseNode() throws {
    if let base, base.inlineContent == nil { try store.retire(base.node) }
  }

  /// Writes owned clusters, and the leaves of the cluster map, unless the changes stay in its delta.
  private func finishClusterMap() throws -> ClusterMap {
    let old = base?.clusterMap ?? .empty(id)
    let columns = isDefinitionChanged ? ColumnTypes(id, definition.columns, next: nextColumn) : old.columns
    guard !changed.isEmpty || old.columns != columns else { return old }
    forgetHotCluster()
    var leaves = old.leaves
    let pageCount = (clusterCount + ClusterMapLeaf.mask) >> ClusterMapLeaf.bits
    while leaves.count < pageCount { leaves.append(0) }
    let newer = try changed.map { index, change in
      if let cluster = change.cluster { change.written = try write(cluster) }
      return ClusterMapDelta.Entry(cluster: index, node: change.written?.id ?? 0)
    }
    var waiting = old.delta.replacing(newer)
    let isDue = waiting.entries.count > ClusterMapDelta.limit
    var made: [(page: Int, leaf: ClusterMapLeaf)] = []
    var rest = newer[...]
    for first in isDue ? waiting.entries : newer where made.last?.page != first.page {
      let changes = rest.prefix { $0.page == first.page }
      rest = rest.dropFirst(changes.count)
      let leaf = (try old.leaf(first.page, loader) ?? ClusterMapLeaf(nodes: [])).replacing(changes)
      for entry in changes {
        if let change = changed[entry.cluster], let cluster = change.cluster, let place = change.written {
          leaf.keep(place, at: entry.entry, cluster)
        }
      }
      made.append((first.page, leaf))
    }
    if isDue {
      waiting = .none
      for (page, leaf) in made {
        try store.retire(leaves[page])
        leaves[page] = leaf.nodes.isEmpty ? 0 : try store.write(leaf.encoded(), decoded: leaf).id
      }
    }
    return ClusterMap(
      following: old, leaves: leaves, branches: try finishBranches(old, leaves), delta: waiting, columns: columns,
      made: made)
  }

  private func finishBranches(_ old: ClusterMap, _ leaves: [Int64]) throws -> [Int64] {
    guard leaves.count > ClusterMap.directLimit else { return [] }
    if leaves == old.leaves { return old.branches }
    var branches: [Int64] = []
    let width = ClusterMapBranch.width
    for number in 0..<(leaves.count + width - 1) / width {
      let start = number * width
      let part = leaves[start..<min(start + width, leaves.count)]
      if number < old.branches.count {
        let before = old.leaves[start..<min(start + width, old.leaves.count)]
        if before.elementsEqual(part) {
          branches.append(old.branches[number])
          continue
        }
        try store.retire(old.branches[number])
      }
      let branch = ClusterMapBranch(leaves: Array(part))
      branches.append(try store.write(branch.encoded(), decoded: branch).id)
    }
    return branches
  }

  /// Retires all nodes of the table.
  func drop() throws {
    try deleteAllRows()
    for index in definition.indexes { try self.index(index.id)?.removeAll() }
    for leaf in base?.clusterMap.leaves ?? [] { try store.retire(leaf) }
    for branch in base?.clusterMap.branches ?? [] { try store.retire(branch) }
    try retireBaseNode()
    changed.removeAll()
    isDropped = true
  }
}

extension TableWriter {
  var isChanged: Bool {
    isDefinitionChanged || !overlay.isEmpty || !lists.isEmpty || !maps.isEmpty
      || indexes.values.contains { $0.isChanged }
  }

  /// What the root may hold of one table, in bytes.
  private static let inlineLimit = 2048

  /// Writes what changed; returns the table's new state.
  ///
  /// - Parameter mayBeInline: whether the root may hold the table node.
  func finish(mayBeInline: Bool) throws -> TableState? {
    if isDropped { return nil }
    guard isChanged else { return base }
    try finishCollections()
    let directory = try finishDirectory()
    let states = try definition.indexes.map { index in
      try indexes[index.id]?.finish() ?? base?.state(of: index.id) ?? IndexWriter(index.kind, store: store).finish()
    }
    let node = TableNode(
      name: definition.name, nextColumn: nextColumn, columns: definition.columns, indexes: definition.indexes,
      states: states, rowCount: hot.pointee.rowCount, nextRow: hot.pointee.nextRow, directory: directory.description)
    let content = node.encoded()
    let isInline = mayBeInline && content.bytes.count <= Self.inlineLimit
    let number = isInline ? store.reserve() : try store.write(content).id
    try retireBaseNode()
    forgetHotCluster()
    return TableState(
      id: id, number, node, directory: directory, inlineContent: isInline ? content.bytes : nil, loader: loader)
  }

  private func retireBaseNode() throws {
    if let base, base.inlineContent == nil { try store.retire(base.node) }
  }

  /// Writes owned clusters and the pages of the directory above what changed.
  private func finishDirectory() throws -> Directory {
    let columns = ColumnTypes(id, definition.columns, next: nextColumn)
    let old = base?.directory ?? .empty(id)
    guard !overlay.isEmpty || old.columns != columns else { return old }
    forgetHotCluster()
    var changes: [Int: [(entry: Int, node: NodeSlot?)]] = [:]
    for index in overlay.keys.sorted() {
      guard let changed = overlay[index] else { continue }
      let node = try changed.cluster.map { try write($0) } ?? changed.written
      changes[index >> DirectoryLeaf.bits, default: []].append((index & DirectoryLeaf.mask, node))
    }
    var leaves = old.leaves
    let pageCount = (clusterCount + DirectoryLeaf.mask) >> DirectoryLeaf.bits
    while leaves.count < pageCount { leaves.append(0) }
    var written: [Int: DirectoryLeaf] = [:]
    for (page, entries) in changes.sorted(by: { $0.key < $1.key }) {
      let oldLeaf = try old.leaf(page, loader) ?? DirectoryLeaf(nodes: [])
      let leaf = oldLeaf.replacing(entries)
      try store.retire(page < old.leaves.count ? old.leaves[page] : 0)
      leaves[page] = leaf.nodes.isEmpty ? 0 : try store.write(leaf.encoded(), decoded: leaf).id
      written[page] = leaf
    }
    let directory = Directory(leaves: leaves, branches: try finishBranches(old, leaves), columns: columns)
    directory.takeLeaves(from: old)
    for (page, leaf) in written where leaves[page] != 0 { _ = directory.keep(leaf, at: page) }
    return directory
  }

  private func finishBranches(_ old: Directory, _ leaves: [Int64]) throws -> [Int64] {
    guard leaves.count > Directory.directLimit else { return [] }
    var branches: [Int64] = []
    let width = DirectoryBranch.width
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
      let branch = DirectoryBranch(leaves: Array(part))
      branches.append(try store.write(branch.encoded(), decoded: branch).id)
    }
    return branches
  }

  /// Gives up everything that the table has in the file.
  func drop() throws {
    try deleteAllRows()
    for index in definition.indexes { try self.index(index.id)?.removeAll() }
    for leaf in base?.directory.leaves ?? [] { try store.retire(leaf) }
    for branch in base?.directory.branches ?? [] { try store.retire(branch) }
    try retireBaseNode()
    overlay.removeAll()
    isDropped = true
  }
}

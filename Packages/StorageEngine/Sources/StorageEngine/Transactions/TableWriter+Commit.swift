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
    if !store.isSpilled, let base, !isDefinitionChanged {
      for (position, state) in base.indexes.enumerated() where state.isWide {
        try index(definition.indexes[position].id)?.narrow()
      }
    }
    // Where the definition stays, so do the places of the indexes.
    let isKept = definition.indexes.map { !isDefinitionChanged && indexes[$0.id]?.isChanged != true }
    let states = try definition.indexes.indices.map { position in
      if isKept[position], let base { return base.indexes[position] }
      let index = definition.indexes[position]
      return try indexes[index.id]?.finish() ?? base?.state(of: index.id)
        ?? IndexWriter(index.kind, store: store).finish()
    }
    let node = TableNode(
      name: definition.name, nextColumn: nextColumn, columns: definition.columns, indexes: definition.indexes,
      states: states, rowCount: hot.pointee.rowCount, nextRow: hot.pointee.nextRow, directory: directory.description)
    let pieces = node.pieces(keeping: isDefinitionChanged ? nil : base?.pieces, isKept)
    let content = node.encoded(pieces)
    let isInline = mayBeInline && content.bytes.count <= Self.inlineLimit
    let number = isInline ? store.reserve() : try store.write(content).id
    try retireBaseNode()
    forgetHotCluster()
    return TableState(
      id: id, number, node, directory: directory, inlineContent: isInline ? content.bytes : nil, loader: loader,
      pieces: pieces, earlier: base, isKept)
  }

  private func retireBaseNode() throws {
    if let base, base.inlineContent == nil { try store.retire(base.node) }
  }

  /// Writes owned clusters and the pages of the directory above what changed.
  private func finishDirectory() throws -> Directory {
    let old = base?.directory ?? .empty(id)
    let columns = isDefinitionChanged ? ColumnTypes(id, definition.columns, next: nextColumn) : old.columns
    guard !overlay.isEmpty || old.columns != columns else { return old }
    forgetHotCluster()
    var leaves = old.leaves
    let pageCount = (clusterCount + DirectoryLeaf.mask) >> DirectoryLeaf.bits
    while leaves.count < pageCount { leaves.append(0) }
    var written: [(page: Int, leaf: DirectoryLeaf)] = []
    var rest = overlay.keys.sorted()[...]
    while let page = rest.first.map({ $0 >> DirectoryLeaf.bits }) {
      let end = rest.firstIndex { $0 >> DirectoryLeaf.bits != page } ?? rest.endIndex
      let entries = try rest[..<end].map { index in
        let changed = overlay[index]
        return (index & DirectoryLeaf.mask, try changed?.cluster.map { try write($0) } ?? changed?.written)
      }
      rest = rest[end...]
      let oldLeaf = try old.leaf(page, loader) ?? DirectoryLeaf(nodes: [])
      let leaf = oldLeaf.replacing(entries)
      try store.retire(page < old.leaves.count ? old.leaves[page] : 0)
      leaves[page] = leaf.nodes.isEmpty ? 0 : try store.write(leaf.encoded(), decoded: leaf).id
      if leaves[page] != 0 { written.append((page, leaf)) }
    }
    let directory = Directory(leaves: leaves, branches: try finishBranches(old, leaves), columns: columns)
    directory.takeLeaves(from: old)
    for (page, leaf) in written { _ = directory.keep(leaf, at: page) }
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

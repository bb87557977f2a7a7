/// Finds the cluster of a number at one version of a table: all leaf numbers, and the leaves themselves once needed.
///
/// A new version's directory takes over the leaves that did not change, so it costs what changed. Few changes wait in
/// the ``overlay``, without leaves of their own in the file.
final class Directory: Sendable {
  /// Up to this many leaves (a million rows) are named by the table node itself.
  static let directLimit = 64

  /// 0 where no row lives, or none that is not in the ``overlay``.
  let leaves: [Int64]
  let overlay: DirectoryOverlay
  /// The branch pages, when there are any.
  let branches: [Int64]
  /// What the clusters must hold.
  let columns: ColumnTypes
  private let loaded: KeptArray<DirectoryLeaf>

  /// That of a table without rows.
  static func empty(_ table: TableID) -> Directory {
    Directory(leaves: [], branches: [], columns: ColumnTypes(table, [], next: 0))
  }

  /// - Parameter earlier: an earlier version, whose leaves this one takes over where they did not change.
  init(
    leaves: [Int64], branches: [Int64], overlay: DirectoryOverlay = .none, columns: ColumnTypes,
    following earlier: Directory? = nil
  ) {
    self.leaves = leaves
    self.branches = branches
    self.overlay = overlay
    self.columns = columns
    guard let earlier else {
      loaded = KeptArray(count: leaves.count)
      return
    }
    let changed = overlay.pages(differingFrom: earlier.overlay)
    loaded = KeptArray(count: leaves.count, following: earlier.loaded) {
      leaves[$0] == earlier.leaves[$0] && !changed.contains($0)
    }
  }

  /// The next version of a directory.
  ///
  /// - Parameter made: the pages that changed, ascending.
  init(
    following earlier: Directory, leaves: [Int64], branches: [Int64], overlay: DirectoryOverlay, columns: ColumnTypes,
    made: [(page: Int, leaf: DirectoryLeaf)]
  ) {
    self.leaves = leaves
    self.branches = branches
    self.overlay = overlay
    self.columns = columns
    var rest = made[...]
    loaded = KeptArray(count: leaves.count, following: earlier.loaded) { page in
      guard rest.first?.page == page else { return true }
      rest = rest.dropFirst()
      return false
    }
    for (page, leaf) in made { _ = keep(leaf, at: page) }
  }

  /// The pages of which the clusters may differ from those of another directory, ascending.
  func pages(differingFrom other: Directory) -> [Int] {
    let changed = overlay.pages(differingFrom: other.overlay)
    return (0..<max(leaves.count, other.leaves.count)).filter { page in
      (page < leaves.count ? leaves[page] : 0) != (page < other.leaves.count ? other.leaves[page] : 0)
        || changed.contains(page)
    }
  }

  /// Keeps a leaf unless one is kept; returns the one that stays.
  func keep(_ leaf: DirectoryLeaf, at index: Int) -> DirectoryLeaf { loaded.set(index, leaf) }

  /// The leaf at `index`, or nil where no row lives.
  @inline(__always) func leaf(_ index: Int, _ loader: NodeLoader) throws -> DirectoryLeaf? {
    guard index < leaves.count else { return nil }
    if let leaf = loaded[index] { return leaf.takeUnretainedValue() }
    return try load(index, loader)
  }

  @inline(never) private func load(_ index: Int, _ loader: NodeLoader) throws -> DirectoryLeaf? {
    let changes = overlay.entries(of: index)
    guard leaves[index] != 0 else {
      return changes.isEmpty ? nil : keep(DirectoryLeaf(nodes: []).replacing(changes), at: index)
    }
    let leaf = try loader.node(leaves[index], DirectoryLeaf.self)
    guard leaf.belongs(to: columns.table) else {
      throw StorageError.damage("Node \(leaves[index]) is used by two tables.")
    }
    return keep(changes.isEmpty ? leaf : leaf.replacing(changes), at: index)
  }

  /// The cluster of that number; nil where no row lives.
  @inline(__always) func cluster(_ index: Int, _ loader: NodeLoader) throws -> Cluster? {
    let page = index >> DirectoryLeaf.bits
    if index >= 0, page < loaded.count, let leaf = loaded[page] {
      // The directory keeps the leaf while it is itself kept by the caller.
      let node = leaf._withUnsafeGuaranteedRef { leaf in
        let entry = index & DirectoryLeaf.mask
        return entry < leaf.slots.count ? leaf.slots[entry]?._withUnsafeGuaranteedRef { $0.peek() } : nil
      }
      if let node, type(of: node) == Cluster.self {
        let cluster = unsafeDowncast(node, to: Cluster.self)
        if cluster.index == index { return cluster }
      }
    }
    return try clusterSlowly(index, loader)
  }

  /// Asks the processor to bring nearer what reading a row touches, when that was met before. For a row that is about to
  /// be read, while something else is done.
  @inline(__always) func prefetch(_ row: RowKey) {
    let index = row.clusterIndex
    let page = index >> DirectoryLeaf.bits
    guard index >= 0, page < loaded.count, let leaf = loaded[page] else { return }
    leaf._withUnsafeGuaranteedRef { $0.prefetch(index & DirectoryLeaf.mask, columns.cells, row: row.slot) }
  }

  @inline(never) private func clusterSlowly(_ index: Int, _ loader: NodeLoader) throws -> Cluster? {
    guard index >= 0, let leaf = try leaf(index >> DirectoryLeaf.bits, loader) else { return nil }
    let entry = index & DirectoryLeaf.mask
    guard let slot = leaf.slot(entry, loader) else { return nil }
    let cluster = try loader.node(slot, Cluster.self)
    guard cluster.index == index else {
      throw StorageError(
        .corrupt, "Node \(slot.id) holds cluster \(cluster.index) in place of \(index). Restore the file from a backup."
      )
    }
    guard columns.fit(cluster) else {
      throw StorageError.damage("Node \(slot.id) holds columns that its table has not.")
    }
    // What the leaf keeps is read without being looked at again.
    leaf.keep(slot, at: entry, cluster)
    return cluster
  }

  var description: Description {
    Description(
      count: leaves.count, pages: branches.isEmpty ? leaves : branches, hasBranches: !branches.isEmpty, overlay: overlay
    )
  }

  // In the table node: leaves (varint), 0 and the leaves' numbers, or 1 and the branches' numbers; then the overlay.

  /// What a table node says of its directory.
  struct Description: Sendable {
    var count = 0
    /// Numbers of branches when ``hasBranches``, else of leaves.
    var pages: [Int64] = []
    var hasBranches = false
    var overlay = DirectoryOverlay.none

    func encode(into writer: inout NodeWriter) {
      writer.count(count)
      writer.byte(hasBranches ? 1 : 0)
      IntegerBlock.encode(pages, into: &writer)
      overlay.encode(into: &writer)
    }
  }

  static func decode(_ reader: inout NodeReader) throws -> Description {
    let count = try reader.count(limit: 1 << 24)
    let hasBranches = try reader.byte() == 1
    guard hasBranches || count <= directLimit else { throw reader.damage("a directory is too long") }
    let width = DirectoryBranch.width
    let pages = try IntegerBlock.decode(&reader, count: hasBranches ? (count + width - 1) / width : count)
    let overlay = try DirectoryOverlay.decode(&reader, clusterLimit: count << DirectoryLeaf.bits)
    return Description(count: count, pages: pages, hasBranches: hasBranches, overlay: overlay)
  }

  convenience init(
    _ description: Description, _ columns: ColumnTypes, loader: NodeLoader, following earlier: Directory?
  ) throws {
    guard description.hasBranches else {
      self.init(
        leaves: description.pages, branches: [], overlay: description.overlay, columns: columns, following: earlier)
      return
    }
    var leaves: [Int64] = []
    for branch in description.pages { leaves += try loader.node(branch, DirectoryBranch.self).leaves }
    guard leaves.count == description.count else {
      throw StorageError(.corrupt, "A directory has the wrong length. Restore the file from a backup or its server.")
    }
    self.init(
      leaves: leaves, branches: description.pages, overlay: description.overlay, columns: columns, following: earlier)
  }
}

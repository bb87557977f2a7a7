/// Finds the row of one number in an index of integers at one version, counting few references and taking one lock.
///
/// The way down leads over pages that stay in memory once they were met: the root, kept here, and the inner pages below
/// it. Only leaves may come and go; those that are plain runs are not asked, see ``DenseLeaves``.
final class IntLookup: Sendable {
  private typealias Page = TreeNode<IntBlock>

  /// The root page, for all versions that have the same.
  private final class Root: Sendable {
    let slot: NodeSlot
    let page = SetOnceArray<Page>(count: 1)

    init(_ slot: NodeSlot) { self.slot = slot }
  }

  private let root: Root
  private let overlay: TreeOverlay<IntBlock>
  /// Where the root page is in memory.
  var slot: NodeSlot { root.slot }

  /// Nil for an index that is empty or none of integers.
  ///
  /// - Parameter earlier: that of an earlier version.
  init?(_ state: IndexState, _ slot: NodeSlot?, following earlier: IntLookup?) {
    guard case .int(_, let overlay) = state, let slot else { return nil }
    if let earlier, earlier.slot === slot { root = earlier.root } else { root = Root(slot) }
    self.overlay = overlay
  }

  /// The least row with this key, or none; nil of the outer kind when it has to be looked for in other ways: it may lie
  /// beyond the leaf that was looked at, or an edit beside the tree tells of the key.
  func firstRow(_ key: Int64, _ loader: NodeLoader) throws -> RowKey?? {
    if overlay.mentions(key) { return nil }
    let from = IntKey(number: key, row: .min)
    var page = try root.page[0] ?? Unmanaged.passUnretained(root.page.set(0, loader.node(slot, Page.self)))
    while true {
      let below: Unmanaged<Page>? = try page._withUnsafeGuaranteedRef { page in
        page.level > 1 ? try page.page(page.block.childIndex(from), loader) : nil
      }
      guard let below else { break }
      page = below
    }
    return try page._withUnsafeGuaranteedRef { page in
      guard page.level > 0 else { return page.block.firstRow(key) }
      let index = page.block.childIndex(from)
      if let found = page.rowInRuns(key, index) { return .some(found) }
      return try leafRow(key, index, page, loader)
    }
  }

  /// The same, asking the leaf at an index of a page above leaves, and the one behind it when that ends before the key.
  @inline(never) private func leafRow(
    _ key: Int64, _ index: Int, _ page: Page, _ loader: NodeLoader
  ) throws -> RowKey?? {
    for index in index..<min(index + 2, page.children.count) {
      let found = try page.withLeaf(index, loader) { leaf in
        page.runs.note(leaf.block, page.block.key(index), at: index)
        return leaf.block.firstRow(key)
      }
      if let found { return found }
    }
    return nil
  }
}

extension TreeOverlay<IntBlock> {
  /// Whether an edit is of an entry with this number.
  func mentions(_ number: Int64) -> Bool { contains { $0.mentions(number) } }
}

extension IntBlock {
  /// Whether an entry has this number.
  fileprivate func mentions(_ number: Int64) -> Bool {
    guard count > 0 else { return false }
    let bound = lowerBound(IntKey(number: number, row: .min))
    return bound < count && numbers[bound] == number
  }

  /// The least row with this number, or none; nil of the outer kind when every entry is before it.
  @inline(__always) fileprivate func firstRow(_ number: Int64) -> RowKey?? {
    let bound = lowerBound(IntKey(number: number, row: .min))
    guard bound < count else { return nil }
    return .some(numbers[bound] == number ? RowKey(rows[bound]) : nil)
  }
}

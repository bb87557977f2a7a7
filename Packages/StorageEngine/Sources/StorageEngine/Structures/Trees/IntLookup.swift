/// Finds the row of one number in an index of integers at one version, with few reference counts and one lock. May be
/// used from any thread.
///
/// The path leads over pages that stay in memory once they were read: the root, retained here, and the inner pages
/// below it. Only leaves may be evicted; those that are known to be dense are not read, see ``DenseLeaves``.
/// Serves store.key-lookups; the plain form is ``TreeReader/first(from:_:)``.
final class IntLookup: Sendable {
  private typealias Page = TreeNode<IntBlock>

  /// The root page, shared by all versions that have the same one.
  private final class Root: Sendable {
    let slot: NodeSlot
    let page = OnceArray<Page>(count: 1)

    init(_ slot: NodeSlot) { self.slot = slot }
  }

  private let root: Root
  private let delta: TreeDelta<IntBlock>
  /// The slot of the root page.
  var slot: NodeSlot { root.slot }

  /// - Parameters:
  ///   - delta: the delta of the index.
  ///   - slot: the slot of the root page of a tree that is not empty.
  ///   - earlier: the lookup of an earlier version, whose root page may be the same.
  init(_ delta: TreeDelta<IntBlock>, _ slot: NodeSlot, following earlier: IntLookup?) {
    if let earlier, earlier.slot === slot { root = earlier.root } else { root = Root(slot) }
    self.delta = delta
  }

  /// The least row with this key. Unknown when the delta has an edit of the key, or when its entry may lie beyond the
  /// leaves that were read.
  ///
  /// - Complexity: O(log n).
  func firstRow(_ key: Int64, _ loader: NodeLoader) throws -> Lookup {
    if delta.mentions(key) { return .unknown }
    let from = IntKey(number: key, row: .min)
    // Unmanaged: the root retains its page, and every page the inner pages below it.
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
      let found = page.rowInDenseLeaves(key, index)
      return found == .unknown ? try leafRow(key, index, page, loader) : found
    }
  }

  /// Reads the leaf at an index of a page above leaves, and the next one when that ends before the key.
  @inline(never) private func leafRow(
    _ key: Int64, _ index: Int, _ page: Page, _ loader: NodeLoader
  ) throws -> Lookup {
    for index in index..<min(index + 2, page.children.count) {
      let leaf = try page.child(index, loader)
      page.denseLeaves.note(leaf.block, page.block.key(index), at: index)
      let found = leaf.block.firstRow(key)
      if found != .unknown { return found }
    }
    return .unknown
  }
}

extension TreeDelta<IntBlock> {
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

  /// The least row with this number; unknown when every entry is before it.
  fileprivate func firstRow(_ number: Int64) -> Lookup {
    let bound = lowerBound(IntKey(number: number, row: .min))
    guard bound < count else { return .unknown }
    return numbers[bound] == number ? .found(RowKey(rows[bound])) : .absent
  }
}

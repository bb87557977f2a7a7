/// One index of a table at one version, with what is found out once to read it.
struct TableIndex: Sendable {
  let state: IndexState
  /// Where the root page is in memory; nil for an empty tree.
  let slot: NodeSlot?
  /// Of an index of integers that is not empty, for quick look-ups.
  let lookup: IntLookup?

  /// - Parameter earlier: the index at an earlier version, which may have the same root page.
  init(_ state: IndexState, _ loader: NodeLoader, following earlier: TableIndex? = nil) {
    self.state = state
    let node = state.root.node
    if let slot = earlier?.slot, slot.id == node {
      self.slot = slot
    } else {
      slot = node == 0 ? nil : loader.cache.slot(node)
    }
    lookup = IntLookup(state, slot, following: earlier?.lookup)
  }

  func reader(_ loader: NodeLoader) -> IndexReader { state.reader(loader, slot: slot) }
}

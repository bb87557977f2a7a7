/// One index of a table at one version, with its reading state.
struct TableIndex: Sendable {
  let state: IndexState
  /// The slot of the root page; nil for an empty tree.
  let slot: NodeSlot?
  /// Fast look-ups, in an index of integers that is not empty.
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
    if case .int(_, let delta) = state, let slot = self.slot {
      lookup = IntLookup(delta, slot, following: earlier?.lookup)
    } else {
      lookup = nil
    }
  }

  func reader(_ loader: NodeLoader) -> IndexReader { state.reader(loader, slot: slot) }
}

/// Changes one list within a write transaction. For one thread at a time.
///
/// - Complexity: O(log n) per change; ``finish()`` writes each touched page once.
final class ListEditor {
  let store: NodeStore
  private(set) var root: ListNode
  /// The page that ``root`` is a copy of; nil when it is new or was inline.
  private var replaced: Int64?

  init(_ cell: ListCell, store: NodeStore) throws {
    self.store = store
    switch cell {
    case .empty: root = ListNode()
    case .inline(let node): root = node
    case .tree(let tree):
      root = tree.node == 0 ? ListNode() : Self.copy(try store.loader.node(tree.node, ListNode.self))
      replaced = tree.node == 0 ? nil : tree.node
    }
  }

  private static func copy(_ node: ListNode) -> ListNode {
    let copy = ListNode()
    copy.level = node.level
    copy.heap = node.heap
    copy.ends = node.ends
    copy.children = node.children
    copy.counts = node.counts
    copy.owned = Array(repeating: nil, count: node.children.count)
    return copy
  }

  var count: Int { root.total }

  func insert(_ element: [UInt8], at position: Int) throws {
    if let sibling = try insert(element, position, into: root) { raise(sibling) }
  }

  func replace(at position: Int, with element: [UInt8]) throws {
    var node = root
    var rest = position
    while node.level > 0 { node = try ownedChild(node, descend(node, &rest)) }
    node.replace(rest, with: element)
    if node.isTooLarge {
      // Rare: removes the element and inserts it again, which splits the page.
      node.remove(rest)
      try adjustCounts(position, by: -1)
      try insert(element, at: position)
    }
  }

  private func adjustCounts(_ position: Int, by change: Int) throws {
    var node = root
    var rest = position
    while node.level > 0 {
      let index = descend(node, &rest)
      node.counts[index] += change
      node = try ownedChild(node, index)
    }
  }

  func remove(at position: Int) throws -> [UInt8] {
    let element = try remove(position, from: root)
    while root.level > 0, root.children.count <= 1 {
      guard root.children.count == 1 else {
        root = ListNode()
        break
      }
      root = try ownedChild(root, 0)
    }
    return element
  }

  func removeAll() throws {
    try retirePages(root)
    root = ListNode()
  }

  private func retirePages(_ node: ListNode) throws {
    for index in node.children.indices {
      if let child = node.owned[index] {
        try retirePages(child)
      } else {
        let id = node.children[index]
        try StoredList.forEachNode(TreeRoot(node: id, count: 0), store.loader) { try store.retire($0) }
      }
    }
  }

  /// The index of the child that `rest` falls into; `rest` becomes the position there.
  private func descend(_ node: ListNode, _ rest: inout Int) -> Int {
    var index = 0
    while index + 1 < node.counts.count, rest >= node.counts[index] {
      rest -= node.counts[index]
      index += 1
    }
    return index
  }

  private func ownedChild(_ node: ListNode, _ index: Int) throws -> ListNode {
    if let child = node.owned[index] { return child }
    let child = Self.copy(try node.child(index, store.loader))
    try store.retire(node.children[index])
    node.children[index] = 0
    node.owned[index] = child
    return child
  }

  private func insert(_ element: [UInt8], _ position: Int, into node: ListNode) throws -> ListNode? {
    if node.level == 0 {
      node.insert(element, at: position)
      return node.isTooLarge ? split(node, atEnd: position + 1 == node.ends.count) : nil
    }
    var rest = position
    var index = 0
    // Between two children the left one takes the element.
    while index + 1 < node.counts.count, rest > node.counts[index] {
      rest -= node.counts[index]
      index += 1
    }
    let child = try ownedChild(node, index)
    let sibling = try insert(element, rest, into: child)
    node.counts[index] = child.total
    if let sibling {
      node.children.insert(0, at: index + 1)
      node.counts.insert(sibling.total, at: index + 1)
      node.owned.insert(sibling, at: index + 1)
    }
    return node.isTooLarge ? split(node, atEnd: index + 2 >= node.children.count) : nil
  }

  /// Cuts the second half off a page; only the last entry when the list grows at its end.
  private func split(_ node: ListNode, atEnd: Bool) -> ListNode {
    let cut = atEnd ? node.entryCount - 1 : node.entryCount / 2
    let sibling = ListNode()
    sibling.level = node.level
    if node.level == 0 {
      let start = node.start(cut)
      sibling.heap = Array(node.heap[start...])
      sibling.ends = node.ends[cut...].map { $0 - start }
      node.heap.removeSubrange(start...)
      node.ends.removeSubrange(cut...)
    } else {
      sibling.children = Array(node.children[cut...])
      sibling.counts = Array(node.counts[cut...])
      sibling.owned = Array(node.owned[cut...])
      node.children.removeSubrange(cut...)
      node.counts.removeSubrange(cut...)
      node.owned.removeSubrange(cut...)
    }
    return sibling
  }

  private func raise(_ sibling: ListNode) {
    let top = ListNode()
    top.level = root.level + 1
    top.children = [0, 0]
    top.counts = [root.total, sibling.total]
    top.owned = [root, sibling]
    root = top
  }

  private func remove(_ position: Int, from node: ListNode) throws -> [UInt8] {
    if node.level == 0 {
      let element = Array(node.heap[node.range(position)])
      node.remove(position)
      return element
    }
    var rest = position
    let index = descend(node, &rest)
    let child = try ownedChild(node, index)
    let element = try remove(rest, from: child)
    node.counts[index] = child.total
    if child.entryCount == 0 {
      drop(index, from: node)
    } else if child.isSmall, node.children.count > 1 {
      try join(index > 0 ? index - 1 : index, in: node)
    }
    return element
  }

  private func drop(_ index: Int, from node: ListNode) {
    node.children.remove(at: index)
    node.counts.remove(at: index)
    node.owned.remove(at: index)
  }

  private func join(_ left: Int, in node: ListNode) throws {
    let second = try node.child(left + 1, store.loader)
    let first = try node.child(left, store.loader)
    guard first.entryCount + second.entryCount <= ListNode.maximumCount,
      first.heap.count + second.heap.count <= ListNode.maximumBytes
    else { return }
    let target = try ownedChild(node, left)
    let source = try ownedChild(node, left + 1)
    let base = target.heap.count
    target.heap += source.heap
    target.ends += source.ends.map { $0 + base }
    target.children += source.children
    target.counts += source.counts
    target.owned += source.owned
    node.counts[left] = target.total
    drop(left + 1, from: node)
  }

  /// Writes the changed pages; returns the content for the cell. The editor is not used afterwards.
  func finish() throws -> [UInt8] {
    if let replaced { try store.retire(replaced) }
    var writer = NodeWriter()
    if root.level == 0, root.heap.count <= inlineCollectionLimit {
      guard root.ends.count > 0 else { return [] }
      writer.byte(0)
      writer.count(root.ends.count)
      writer.raw(root.heap)
    } else {
      let total = root.total
      writer.byte(1)
      TreeRoot(node: try write(root), count: total).encode(into: &writer)
    }
    return writer.bytes
  }

  private func write(_ node: ListNode) throws -> Int64 {
    for index in node.owned.indices {
      if let child = node.owned[index] { node.children[index] = try write(child) }
    }
    node.owned = []
    return try store.write(node.encoded(), decoded: node).id
  }
}

/// The elements of one list cell, for reading. Valid while the snapshot or transaction that it came from is.
///
/// - Complexity: element reads are O(log n); a walk is O(n).
public struct StoredList {
  let loader: NodeLoader
  let root: ListNode?
  /// The number of elements.
  public let count: Int

  /// Whether there are no elements.
  public var isEmpty: Bool { count == 0 }

  init(_ cell: ListCell, loader: NodeLoader) throws {
    self.loader = loader
    switch cell {
    case .empty:
      root = nil
      count = 0
    case .inline(let node):
      root = node
      count = node.total
    case .tree(let tree):
      root = tree.node == 0 ? nil : try loader.node(tree.node, ListNode.self)
      count = tree.count
      guard root?.total ?? 0 == count else { throw Self.damage }
    }
  }

  init(root: ListNode, loader: NodeLoader) {
    self.loader = loader
    self.root = root
    count = root.total
  }

  /// An empty list.
  static func empty(_ loader: NodeLoader) -> StoredList { StoredList(root: ListNode(), loader: loader) }

  /// The element at `position`.
  ///
  /// - Precondition: `position` is in `0..<count`.
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n).
  public func element(at position: Int) throws -> StoredValue {
    precondition(position >= 0 && position < count, "a list position is below the count")
    var result: StoredValue?
    try forEach(in: position..<position + 1) { _, value in
      result = value
      return false
    }
    guard let result else { throw Self.damage }
    return result
  }

  static var damage: StorageError {
    StorageError(.corrupt, "A list has not the length of its count. Restore the file from a backup or its server.")
  }

  /// Calls `body` with position and element of `range` (all when nil), ascending, until it returns false.
  ///
  /// - Throws: the error of `body`, and ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(log n + k) for k elements.
  public func forEach(in range: Range<Int>? = nil, _ body: (Int, StoredValue) throws -> Bool) throws {
    guard let root else { return }
    let range = range ?? 0..<count
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "a range of list positions lies in the list")
    _ = try walk(root, 0, range, body)
  }

  private func walk(
    _ node: ListNode, _ offset: Int, _ range: Range<Int>, _ body: (Int, StoredValue) throws -> Bool
  ) throws -> Bool {
    if node.level == 0 {
      let first = max(range.lowerBound - offset, 0)
      let last = min(range.upperBound - offset, node.ends.count)
      guard first < last else { return true }
      for index in first..<last {
        guard try body(offset + index, try node.value(index)) else { return false }
      }
      return true
    }
    var offset = offset
    for index in node.children.indices {
      let next = offset + node.counts[index]
      if next > range.lowerBound {
        if offset >= range.upperBound { return true }
        guard try walk(try node.child(index, loader), offset, range, body) else { return false }
      }
      offset = next
    }
    return true
  }

  /// All elements.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(n).
  public func elements() throws -> [StoredValue] {
    var result: [StoredValue] = []
    // The count of a damaged file must not decide how much memory is reserved.
    result.reserveCapacity(min(count, 1 << 16))
    try forEach { _, value in
      result.append(value)
      return true
    }
    guard result.count == count else { throw Self.damage }
    return result
  }

  /// The least position whose element equals `value`; nil when there is none.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when a page is damaged.
  /// - Complexity: O(n).
  public func firstPosition(of value: StoredValue) throws -> Int? {
    var result: Int?
    try forEach { position, element in
      if element == value { result = position }
      return result == nil
    }
    return result
  }

  /// Calls `body` with the node number of every page of a tree.
  static func forEachNode(_ tree: TreeRoot, _ loader: NodeLoader, _ body: (Int64) throws -> Void) throws {
    guard tree.node != 0 else { return }
    // Children first: the body may delete the page.
    try forEachChild(try loader.node(tree.node, ListNode.self), loader, body)
    try body(tree.node)
  }

  private static func forEachChild(_ node: ListNode, _ loader: NodeLoader, _ body: (Int64) throws -> Void) throws {
    for index in node.children.indices {
      if node.level > 1 { try forEachChild(try node.child(index, loader), loader, body) }
      try body(node.children[index])
    }
  }
}

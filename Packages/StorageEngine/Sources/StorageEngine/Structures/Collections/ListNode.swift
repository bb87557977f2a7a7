/// A page of a list: elements in a leaf; children with their counts in an inner page.
///
/// Pages that were read or written never change. A ``ListEditor`` owns the pages it changes, and passes them to the
/// cache when it writes them.
final class ListNode: CachedNode, @unchecked Sendable {
  // @unchecked: written only while one editor owns it, before it is published.

  static let maximumCount = 256
  static let maximumBytes = 4096

  /// 0 for a leaf.
  var level = 0
  /// The elements of a leaf, one behind the other, and the end of each.
  var heap: [UInt8] = []
  var ends: [Int] = []
  /// The node numbers of the children of an inner page; 0 where ``owned`` has the page.
  var children: [Int64] = []
  var counts: [Int] = []
  /// Pages that the editor of this page changed; empty outside of editors.
  var owned: [ListNode?] = []

  var total: Int { level == 0 ? ends.count : counts.reduce(0, +) }
  var entryCount: Int { level == 0 ? ends.count : children.count }
  override var byteCost: Int { 160 + heap.count + ends.count * 8 + children.count * 16 }

  var isTooLarge: Bool {
    entryCount > Self.maximumCount || heap.count > Self.maximumBytes && ends.count > 1
  }
  var isSmall: Bool { entryCount < Self.maximumCount / 4 && heap.count < Self.maximumBytes / 4 }

  func start(_ index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }
  func range(_ index: Int) -> Range<Int> { start(index)..<ends[index] }

  func value(_ index: Int) throws -> StoredValue {
    try heap.withUnsafeBytes { try StoredValueCoding.decode(UnsafeRawBufferPointer(rebasing: $0[range(index)])) }
  }

  func append(_ element: UnsafeRawBufferPointer) {
    heap.append(contentsOf: element)
    ends.append(heap.count)
  }

  func replace(_ index: Int, with element: [UInt8]) {
    let range = range(index)
    heap.replaceSubrange(range, with: element)
    shift(from: index, by: element.count - range.count)
  }

  func insert(_ element: [UInt8], at index: Int) {
    let start = start(index)
    heap.insert(contentsOf: element, at: start)
    ends.insert(start, at: index)
    shift(from: index, by: element.count)
  }

  func remove(_ index: Int) {
    let range = range(index)
    heap.removeSubrange(range)
    ends.remove(at: index)
    shift(from: index, by: -range.count)
  }

  private func shift(from index: Int, by distance: Int) {
    for at in index..<ends.count { ends[at] += distance }
  }

  /// The child at an index.
  func child(_ index: Int, _ loader: NodeLoader) throws -> ListNode {
    if index < owned.count, let child = owned[index] { return child }
    let child = try loader.node(children[index], ListNode.self)
    guard child.level == level - 1 else {
      throw StorageError(.corrupt, "A list page stands at the wrong height. Restore the file from a backup.")
    }
    return child
  }
}

// The content: level (1 byte), entries (varint), then an ``IntegerRunCoding`` of lengths and the elements,
// or two of children and counts.
extension ListNode: DecodableNode {
  static var kind: NodeKind { .listTree }

  func encoded() -> NodeWriter {
    var writer = NodeWriter(.listTree, capacity: heap.count + 64)
    writer.byte(UInt8(level))
    writer.count(entryCount)
    if level == 0 {
      IntegerRunCoding.encode(ends.indices.map { Int64(range($0).count) }, into: &writer)
      writer.raw(heap)
    } else {
      IntegerRunCoding.encode(children, into: &writer)
      IntegerRunCoding.encode(counts.map { Int64($0) }, into: &writer)
    }
    return writer
  }

  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> ListNode {
    let node = ListNode()
    node.level = Int(try reader.byte())
    let count = try reader.count(limit: 1 << 16)
    guard node.level < 64, count > 0 else { throw reader.damage("a page is empty or too high") }
    if node.level == 0 {
      var end = 0
      for length in try IntegerRunCoding.decode(&reader, count: count) {
        guard length > 0, length <= Int64(reader.remaining) else { throw reader.damage("a length is wrong") }
        end += Int(length)
        node.ends.append(end)
      }
      node.heap = Array(try reader.take(end))
    } else {
      node.children = try IntegerRunCoding.decode(&reader, count: count)
      node.counts = try IntegerRunCoding.decode(&reader, count: count).map { Int($0) }
      guard node.children.allSatisfy({ $0 > 0 && $0 < id }), node.counts.allSatisfy({ $0 > 0 && $0 < 1 << 40 }) else {
        throw reader.damage("a child is impossible")
      }
    }
    try reader.finish()
    return node
  }
}

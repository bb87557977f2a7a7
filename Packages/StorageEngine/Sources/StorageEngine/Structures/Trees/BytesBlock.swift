/// Entries of an index or map over byte strings: keys and contents in one heap, one behind the other.
struct BytesBlock: TreeBlock {
  private var heap: [UInt8] = []
  /// The end of each key, and of each content, in the heap.
  private var keyEnds: [UInt32] = []
  private var ends: [UInt32] = []

  static var kind: NodeKind { .bytesTree }
  static var patchKind: NodeKind { .bytesLeafPatch }
  static var maximumCount: Int { 256 }
  static var maximumCost: Int { 4096 }
  static var keepsGreatest: Bool { false }
  static var largeDelta: Int { 64 }
  static var noContent: [UInt8] { [] }

  init(room: Int) { self.init(room: room, bytes: 0) }

  /// An empty block with room for about so many entries of so many bytes in all.
  init(room: Int, bytes: Int) {
    heap.reserveCapacity(bytes)
    keyEnds.reserveCapacity(room)
    ends.reserveCapacity(room)
  }

  var count: Int { ends.count }
  /// Bytes of all keys and contents.
  var byteCount: Int { heap.count }
  var cost: Int { heap.count + ends.count * 2 }

  private func start(_ index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }

  func key(_ index: Int) -> [UInt8] { Array(heap[start(index)..<Int(keyEnds[index])]) }
  func content(_ index: Int) -> [UInt8] { Array(heap[Int(keyEnds[index])..<Int(ends[index])]) }

  func compare(_ index: Int, _ key: [UInt8]) -> Int {
    let start = start(index)
    let count = Int(keyEnds[index]) - start
    let order = heap.withUnsafeBytes { heap in
      key.withUnsafeBytes { key in
        compareBytes(UnsafeRawBufferPointer(rebasing: heap[start..<start + count]), key)
      }
    }
    return order
  }

  mutating func append(_ key: [UInt8], _ content: [UInt8]) {
    heap.append(contentsOf: key)
    keyEnds.append(UInt32(heap.count))
    heap.append(contentsOf: content)
    ends.append(UInt32(heap.count))
  }

  mutating func append(_ range: Range<Int>, of other: BytesBlock) {
    guard !range.isEmpty else { return }
    let from = other.start(range.lowerBound)
    let shift = Int64(heap.count) - Int64(from)
    heap.append(contentsOf: other.heap[from..<Int(other.ends[range.upperBound - 1])])
    for index in range {
      keyEnds.append(UInt32(Int64(other.keyEnds[index]) + shift))
      ends.append(UInt32(Int64(other.ends[index]) + shift))
    }
  }

  /// Writes one entry: the length of the key, the key, and the content.
  func encode(_ index: Int, into writer: inout NodeWriter) {
    let start = start(index)
    writer.count(Int(keyEnds[index]) - start)
    writer.raw(heap, start..<Int(ends[index]))
  }

  func encode(into writer: inout NodeWriter) {
    var lengths = [Int64](repeating: 0, count: count)
    for index in 0..<count { lengths[index] = Int64(keyEnds[index]) - Int64(start(index)) }
    IntegerRunCoding.encode(lengths, into: &writer)
    for index in 0..<count { lengths[index] = Int64(ends[index]) - Int64(keyEnds[index]) }
    IntegerRunCoding.encode(lengths, into: &writer)
    writer.raw(heap)
  }

  static func decode(_ reader: inout NodeReader, count: Int) throws -> BytesBlock {
    var block = BytesBlock()
    let keys = try IntegerRunCoding.decode(&reader, count: count)
    let contents = try IntegerRunCoding.decode(&reader, count: count)
    var end: Int64 = 0
    let limit = Int64(reader.remaining)
    for index in 0..<count {
      guard keys[index] >= 0, contents[index] >= 0, keys[index] <= limit, contents[index] <= limit else {
        throw reader.damage("a length is wrong")
      }
      block.keyEnds.append(UInt32(truncatingIfNeeded: end + keys[index]))
      end += keys[index] + contents[index]
      guard end <= limit else { throw reader.damage("a length is wrong") }
      block.ends.append(UInt32(truncatingIfNeeded: end))
    }
    block.heap = Array(try reader.take(Int(end)))
    return block
  }

  static func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { compareBytes(left, $0) } } < 0
  }

  static func order(_ edits: [PendingEdit<BytesBlock>]) -> [Int32] {
    edits.indices.map { Int32($0) }.sorted { left, right in
      let (first, second) = (edits[Int(left)].edit.key, edits[Int(right)].edit.key)
      let order = first.withUnsafeBytes { first in second.withUnsafeBytes { compareBytes(first, $0) } }
      return order != 0 ? order < 0 : left < right
    }
  }
}

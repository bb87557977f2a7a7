/// Edits to a tree that wait to be applied together, findable by a hash meanwhile.
struct PendingEdits<Block: TreeBlock> {
  private(set) var keys: [Block.Key] = []
  private var contents: [Block.Content?] = []
  private var hashes: [UInt32] = []
  /// The edit before this one in the same bucket, or -1.
  private var links: [Int32] = []
  private var buckets: [Int32] = []

  var isEmpty: Bool { keys.isEmpty }
  var count: Int { keys.count }

  mutating func add(_ key: Block.Key, _ content: Block.Content?, hash: UInt32) {
    if keys.count >= buckets.count { grow() }
    let bucket = Int(hash) & (buckets.count - 1)
    links.append(buckets[bucket])
    buckets[bucket] = Int32(keys.count)
    keys.append(key)
    contents.append(content)
    hashes.append(hash)
  }

  private mutating func grow() {
    let size = max(buckets.count * 2, 16)
    buckets = [Int32](repeating: -1, count: size)
    for index in 0..<hashes.count {
      let bucket = Int(hashes[index]) & (size - 1)
      links[index] = buckets[bucket]
      buckets[bucket] = Int32(index)
    }
  }

  /// Calls `body` with the edits of that hash, newest first, until it returns false; at most `limit` are looked at.
  ///
  /// - Returns: whether the limit was enough.
  @inline(__always)
  func forEach(hash: UInt32, limit: Int, _ body: (Block.Key, Block.Content?) -> Bool) -> Bool {
    guard !buckets.isEmpty else { return true }
    var index = Int(buckets[Int(hash) & (buckets.count - 1)])
    var rest = limit
    while index >= 0 {
      if rest == 0 { return false }
      rest -= 1
      if hashes[index] == hash, !body(keys[index], contents[index]) { return true }
      index = Int(links[index])
    }
    return true
  }

  /// The edits in ascending order, the latest for each key.
  func sorted() -> [TreeEdit<Block>] {
    let order = Block.order(keys)
    var edits: [TreeEdit<Block>] = []
    edits.reserveCapacity(order.count)
    for (rank, position) in order.enumerated() {
      let key = keys[Int(position)]
      // Equal keys stand in the order they came: the last one counts.
      if rank + 1 < order.count, !Block.isBefore(key, keys[Int(order[rank + 1])]) { continue }
      edits.append(TreeEdit(key: key, content: contents[Int(position)]))
    }
    return edits
  }

  mutating func removeAll() { self = PendingEdits() }
}

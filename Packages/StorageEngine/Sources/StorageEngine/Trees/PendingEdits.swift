/// Edits to a tree that wait to be applied together, findable by a hash meanwhile.
///
/// They are put into buckets only when somebody looks for one, so that loading without looking costs no more than
/// appending.
struct PendingEdits<Block: TreeBlock> {
  private(set) var keys: [Block.Key] = []
  private var contents: [Block.Content?] = []
  private var hashes: [UInt32] = []
  /// The edit before this one in the same bucket, or -1.
  private var links: [Int32] = []
  private var buckets: [Int32] = []
  /// The greatest key so far, of blocks that keep it.
  private(set) var greatest: Block.Key?

  var isEmpty: Bool { keys.isEmpty }
  var count: Int { keys.count }

  /// When this many wait there will be many more, and there is room at once for all that may wait: growing step by step
  /// would touch twice the memory.
  private static var manyCount: Int { 1 << 15 }

  /// Room for so many is made at once.
  private static var fewCount: Int { 16 }

  mutating func add(_ key: Block.Key, _ content: Block.Content?, hash: UInt32) {
    if keys.isEmpty {
      keys.reserveCapacity(Self.fewCount)
      contents.reserveCapacity(Self.fewCount)
      hashes.reserveCapacity(Self.fewCount)
    }
    if keys.count == Self.manyCount {
      keys.reserveCapacity(TreeWriter<Block>.pendingLimit)
      contents.reserveCapacity(TreeWriter<Block>.pendingLimit)
      hashes.reserveCapacity(TreeWriter<Block>.pendingLimit)
    }
    keys.append(key)
    contents.append(content)
    hashes.append(hash)
    guard Block.keepsGreatest else { return }
    if let greatest, !Block.isBefore(greatest, key) { return }
    greatest = key
  }

  /// Puts what was added since the last look into its buckets.
  private mutating func prepareLookup() {
    var index = links.count
    guard index < keys.count else { return }
    if keys.count > buckets.count {
      var size = max(buckets.count, 16)
      while size < keys.count { size *= 2 }
      buckets = [Int32](repeating: -1, count: size)
      links.removeAll(keepingCapacity: true)
      index = 0
    }
    links.reserveCapacity(buckets.count)
    while index < keys.count {
      let bucket = Int(hashes[index]) & (buckets.count - 1)
      links.append(buckets[bucket])
      buckets[bucket] = Int32(index)
      index += 1
    }
  }

  /// Calls `body` with the edits of that hash, newest first, until it returns false; at most `limit` are looked at.
  ///
  /// - Returns: whether the limit was enough.
  @inline(__always)
  mutating func forEach(hash: UInt32, limit: Int, _ body: (Block.Key, Block.Content?) -> Bool) -> Bool {
    prepareLookup()
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

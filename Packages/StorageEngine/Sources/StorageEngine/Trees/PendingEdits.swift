/// Edits to a tree that wait to be applied together, findable by a hash meanwhile.
///
/// They are put into buckets only when somebody looks for one, so that loading without looking costs no more than
/// appending.
struct PendingEdits<Block: TreeBlock> {
  private var edits: [PendingEdit<Block>] = []
  /// The edit before this one in the same bucket, or -1.
  private var links: [Int32] = []
  private var buckets: [Int32] = []
  /// Where the greatest key so far is, of blocks that keep it.
  private var greatestIndex = -1

  var isEmpty: Bool { edits.isEmpty }
  var count: Int { edits.count }
  /// The greatest key so far, of blocks that keep it.
  var greatest: Block.Key? { greatestIndex < 0 ? nil : edits[greatestIndex].edit.key }

  /// When this many wait there will be many more, and there is room at once for all that may wait: growing step by step
  /// would touch twice the memory.
  private static var manyCount: Int { 1 << 15 }

  mutating func add(_ key: Block.Key, _ content: Block.Content?, hash: UInt32) {
    if edits.count == Self.manyCount { edits.reserveCapacity(TreeWriter<Block>.pendingLimit) }
    edits.append(PendingEdit(edit: TreeEdit(key: key, content: content), hash: hash))
    guard Block.keepsGreatest else { return }
    if greatestIndex >= 0, !Block.isBefore(edits[greatestIndex].edit.key, key) { return }
    greatestIndex = edits.count - 1
  }

  /// Puts what was added since the last look into its buckets.
  private mutating func prepareLookup() {
    var index = links.count
    guard index < edits.count else { return }
    if edits.count > buckets.count {
      var size = max(buckets.count, 16)
      while size < edits.count { size *= 2 }
      buckets = [Int32](repeating: -1, count: size)
      links.removeAll(keepingCapacity: true)
      index = 0
    }
    links.reserveCapacity(buckets.count)
    while index < edits.count {
      let bucket = Int(edits[index].hash) & (buckets.count - 1)
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
      if edits[index].hash == hash, !body(edits[index].edit.key, edits[index].edit.content) { return true }
      index = Int(links[index])
    }
    return true
  }

  /// The edits in ascending order, the latest for each key.
  func sorted() -> [TreeEdit<Block>] {
    guard edits.count > 1 else { return edits.map(\.edit) }
    let order = Block.order(edits)
    var sorted: [TreeEdit<Block>] = []
    sorted.reserveCapacity(order.count)
    for (rank, position) in order.enumerated() {
      let edit = edits[Int(position)].edit
      // Equal keys stand in the order they came: the last one counts.
      if rank + 1 < order.count, !Block.isBefore(edit.key, edits[Int(order[rank + 1])].edit.key) { continue }
      sorted.append(edit)
    }
    return sorted
  }

  mutating func removeAll() { self = PendingEdits() }
}

/// An edit that waits, with the hash that it is found by.
struct PendingEdit<Block: TreeBlock> {
  var edit: TreeEdit<Block>
  var hash: UInt32
}

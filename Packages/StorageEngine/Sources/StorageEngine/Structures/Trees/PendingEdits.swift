/// Edits to a tree that are not applied yet, in order of arrival, with a hash table over them.
///
/// The hash table is built by the first look-up, so that loading without look-ups costs no more than appending.
struct PendingEdits<Block: TreeBlock> {
  private var edits: [PendingEdit<Block>] = []
  /// The edit before this one in the same bucket; -1 for none.
  private var links: [Int32] = []
  private var buckets: [Int32] = []
  /// The index of the greatest key so far; -1 for none. Maintained for blocks with ``TreeBlock/keepsGreatest``.
  private var greatestIndex = -1

  var isEmpty: Bool { edits.isEmpty }
  var count: Int { edits.count }
  /// The greatest key so far, of blocks with ``TreeBlock/keepsGreatest``.
  var greatest: Block.Key? { greatestIndex < 0 ? nil : edits[greatestIndex].edit.key }

  /// From this many edits on, room for ``TreeWriter/pendingLimit`` is reserved at once: growing step by step would
  /// touch twice the memory.
  private static var manyCount: Int { 1 << 15 }

  mutating func add(_ key: Block.Key, _ content: Block.Content?, hash: UInt32) {
    if edits.count == Self.manyCount { edits.reserveCapacity(TreeWriter<Block>.pendingLimit) }
    edits.append(PendingEdit(edit: TreeEdit(key: key, content: content), hash: hash))
    guard Block.keepsGreatest else { return }
    if greatestIndex >= 0, !Block.isBefore(edits[greatestIndex].edit.key, key) { return }
    greatestIndex = edits.count - 1
  }

  /// Puts the edits since the last look-up into their buckets.
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

  /// Calls `body` with the edits of that hash, newest first, until it returns false; visits at most `limit` edits.
  ///
  /// - Returns: whether all edits of the hash were visited, or `body` returned false.
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
  ///
  /// - Complexity: O(n log n) in the number of edits; O(n) for sorted integers.
  func sorted() -> [TreeEdit<Block>] {
    guard edits.count > 1 else { return edits.map(\.edit) }
    let order = Block.order(edits)
    var sorted: [TreeEdit<Block>] = []
    sorted.reserveCapacity(order.count)
    for (rank, position) in order.enumerated() {
      let edit = edits[Int(position)].edit
      // Equal keys stand in order of arrival: the last one counts.
      if rank + 1 < order.count, !Block.isBefore(edit.key, edits[Int(order[rank + 1])].edit.key) { continue }
      sorted.append(edit)
    }
    return sorted
  }

  mutating func removeAll() { self = PendingEdits() }
}

/// An edit and the hash of its key.
struct PendingEdit<Block: TreeBlock> {
  var edit: TreeEdit<Block>
  var hash: UInt32
}

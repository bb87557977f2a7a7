/// One change to a tree: a key with its new content, or with nil to remove it.
struct TreeEdit<Block: TreeBlock> {
  var key: Block.Key
  var content: Block.Content?

  /// Both runs of edits, ascending; of equal keys the later one counts.
  static func merged(_ earlier: ArraySlice<TreeEdit>, _ later: ArraySlice<TreeEdit>) -> [TreeEdit] {
    if earlier.isEmpty { return Array(later) }
    var result: [TreeEdit] = []
    result.reserveCapacity(earlier.count + later.count)
    var (left, right) = (earlier.startIndex, later.startIndex)
    while left < earlier.endIndex || right < later.endIndex {
      if right == later.endIndex || left < earlier.endIndex && Block.isBefore(earlier[left].key, later[right].key) {
        result.append(earlier[left])
        left += 1
      } else {
        if left < earlier.endIndex, !Block.isBefore(later[right].key, earlier[left].key) { left += 1 }
        result.append(later[right])
        right += 1
      }
    }
    return result
  }
}

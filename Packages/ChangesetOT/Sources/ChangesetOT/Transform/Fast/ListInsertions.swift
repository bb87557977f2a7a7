/// Transforms two histories that only insert into one list, by counting instead of pair by pair.
///
/// Nothing is removed, so there is one final order of all elements: the index of an insertion rises by the number of the
/// other side's elements that end before it. The insertions of one side between two neighbours of the base form a treap:
/// ordered by position from left to right, earlier insertions above later ones.
///
///     base  p q       one side inserts  a,  then b before a,  then c after a        a
///                                                                                  / \
///                                                                                 b   c
///
/// An insertion x of the other side conflicts with the root `a` at the same index: the earlier of the two comes first, so
/// x goes left or right and conflicts with that subtree only. The path of x splits the tree into the nodes before x and
/// the nodes behind it; the insertions that followed x on its own side conflict with one of the two parts.
///
/// Law: the result is that of `ListRun.transform(with:)` (`Docs/Algebra.md`, "The engines agree"). Without this form the
/// benchmark rows `ot.listInserts-10k`, `ot.listAppends-10k` and their `-growth` rows fail.
///
/// - Complexity: O(*N* + (*n* + *m*) log(*N* + *n* + *m*)) with *N* the size of the list, plus the lengths of the paths
///   through the trees, which are short unless one side builds leftwards a tree that the other splits again and again.
struct ListInsertions {
  private static let none: Int32 = -1

  /// The insertions of one side as trees, one for each gap between two elements of the base.
  private struct Forest {
    var left: [Int32]
    var right: [Int32]
    var rank: [Int32]
    /// The roots with their gaps, ascending by gap.
    var roots: [(gap: Int32, node: Int32)] = []
  }

  /// Transforms both runs; returns false, with nothing changed, when either has other edits than insertions, or when
  /// the list is more than 16 times as long as both runs together.
  static func transform(_ first: inout ListRun, _ second: inout ListRun) -> Bool {
    let count = first.edits.count + second.edits.count
    guard count > 64, let size = first.edits.first?.priorSize, Int(size) < 16 * count,
      first.edits.allSatisfy({ $0.kind == .insert }), second.edits.allSatisfy({ $0.kind == .insert })
    else { return false }
    var merge = ListInsertions(first.edits, second.edits, baseSize: Int(size))
    merge.run()
    for number in first.edits.indices { first.edits[number].index += merge.before[0][number] }
    for number in second.edits.indices { second.edits[number].index += merge.before[1][number] }
    first.raise = Int32(second.edits.count)
    second.raise = Int32(first.edits.count)
    return true
  }

  private var sides: [Forest]
  /// For every insertion of either side, the number of the other side's elements that end before it.
  private var before: [[Int32]]
  /// The number of insertions of each side in the final order so far.
  private var emitted: [Int32] = [0, 0]

  private init(_ first: [ListRun.Edit], _ second: [ListRun.Edit], baseSize: Int) {
    sides = [Self.forest(first, baseSize), Self.forest(second, baseSize)]
    before = [Array(repeating: 0, count: first.count), Array(repeating: 0, count: second.count)]
  }

  /// Finds the position of each insertion in the final list of its own side, from the last insertion to the first: each
  /// takes the free position that its index names. Then builds the trees.
  private static func forest(_ edits: [ListRun.Edit], _ baseSize: Int) -> Forest {
    var free = FenwickTree(repeatElement(1, count: baseSize + edits.count))
    var owner = [Int32](repeating: none, count: baseSize + edits.count)
    for number in edits.indices.reversed() {
      let position = free.locate(edits[number].index).index
      free.add(-1, at: position)
      owner[position] = Int32(number)
    }
    var forest = Forest(
      left: Array(repeating: none, count: edits.count), right: Array(repeating: none, count: edits.count),
      rank: edits.map(\.rank))
    var gap: Int32 = 0
    // The right edge of the tree being built, from its root downwards.
    var edge: [Int32] = []
    for node in owner {
      guard node != none else {
        if let root = edge.first { forest.roots.append((gap, root)) }
        edge.removeAll(keepingCapacity: true)
        gap += 1
        continue
      }
      var below = none
      while let last = edge.last, last > node {
        below = last
        edge.removeLast()
      }
      forest.left[Int(node)] = below
      if let above = edge.last { forest.right[Int(above)] = node }
      edge.append(node)
    }
    if let root = edge.first { forest.roots.append((gap, root)) }
    return forest
  }

  /// Merges the trees of both sides, gap by gap.
  private mutating func run() {
    let (first, second) = (sides[0].roots, sides[1].roots)
    var (f, s) = (0, 0)
    while f < first.count || s < second.count {
      if s == second.count || (f < first.count && first[f].gap < second[s].gap) {
        emit(0, first[f].node)
        f += 1
      } else if f == first.count || second[s].gap < first[f].gap {
        emit(1, second[s].node)
        s += 1
      } else {
        merge(first[f].node, second[s].node)
        f += 1
        s += 1
      }
    }
  }

  /// Merges a tree of the first side with one of the second, in order.
  private mutating func merge(_ first: Int32, _ second: Int32) {
    var waiting: [(node: Int32, behind: Int32)] = []
    var (node, tree) = (first, second)
    while true {
      while node != Self.none, tree != Self.none {
        let (ahead, behind) = split(tree, at: node)
        waiting.append((node, behind))
        node = sides[0].left[Int(node)]
        tree = ahead
      }
      emit(0, node)
      emit(1, tree)
      guard let next = waiting.popLast() else { return }
      count(0, next.node)
      node = sides[0].right[Int(next.node)]
      tree = next.behind
    }
  }

  /// Splits a tree of the second side into the nodes before an insertion of the first side and the nodes behind it.
  private mutating func split(_ tree: Int32, at node: Int32) -> (ahead: Int32, behind: Int32) {
    let rank = sides[0].rank[Int(node)]
    var (ahead, behind) = (Self.none, Self.none)
    var (aheadEdge, behindEdge) = (Self.none, Self.none)
    var current = tree
    while current != Self.none {
      let at = Int(current)
      if rank < sides[1].rank[at] {
        // The insertion of the first side is earlier and comes first.
        if behindEdge == Self.none { behind = current } else { sides[1].left[Int(behindEdge)] = current }
        behindEdge = current
        current = sides[1].left[at]
      } else {
        if aheadEdge == Self.none { ahead = current } else { sides[1].right[Int(aheadEdge)] = current }
        aheadEdge = current
        current = sides[1].right[at]
      }
    }
    if behindEdge != Self.none { sides[1].left[Int(behindEdge)] = Self.none }
    if aheadEdge != Self.none { sides[1].right[Int(aheadEdge)] = Self.none }
    return (ahead, behind)
  }

  /// Counts every insertion of a tree, in order.
  private mutating func emit(_ side: Int, _ root: Int32) {
    var waiting: [Int32] = []
    var node = root
    while true {
      while node != Self.none {
        waiting.append(node)
        node = sides[side].left[Int(node)]
      }
      guard let next = waiting.popLast() else { return }
      count(side, next)
      node = sides[side].right[Int(next)]
    }
  }

  private mutating func count(_ side: Int, _ node: Int32) {
    before[side][Int(node)] = emitted[1 - side]
    emitted[side] += 1
  }
}

/// Two histories that only insert into one list, carried over each other without letting every pair meet.
///
/// Nothing is removed, so there is one final order of all elements, and an index is made right by counting: an
/// insertion goes up by the number of the other side's elements that end before it. To find that order, look at what
/// each side inserted between two neighbours of the base. The first insertion there splits the place in two, the next
/// one splits one of these, and so on: a tree, ordered by place, with earlier insertions above later ones.
///
///     base  p q       one side inserts  a,  then b before a,  then c after a        a
///                                                                                  / \
///                                                                                 b   c
///
/// When x of the other side meets that tree, it meets `a` at the same place; the earlier of the two comes first, so x
/// goes left or right, and meets only what is there. On its way it splits the tree into what ends before it and what
/// ends behind it, and the insertions that followed x on its own side meet one part only.
///
/// - Complexity: O(*N* + (*n* + *m*) log(*N* + *n* + *m*)) with *N* the size of the list, plus the lengths of the ways
///   through the trees, which are short unless one side builds leftwards what the other passes again and again.
struct ListInsertions {
  private static let none: Int32 = -1

  /// The insertions of one side as trees, one for each place between two elements of the base.
  private struct Forest {
    var left: [Int32]
    var right: [Int32]
    var rank: [Int32]
    /// The roots by place, ascending.
    var roots: [(place: Int32, node: Int32)] = []
  }

  /// Carries both over each other; returns false, with nothing changed, when either has other edits than insertions
  /// or the list is so long that counting through it does not pay.
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
  /// For every insertion of either side: how many of the other end before it.
  private var before: [[Int32]]
  private var emitted: [Int32] = [0, 0]

  private init(_ first: [ListRun.Edit], _ second: [ListRun.Edit], baseSize: Int) {
    sides = [Self.forest(first, baseSize), Self.forest(second, baseSize)]
    before = [Array(repeating: 0, count: first.count), Array(repeating: 0, count: second.count)]
  }

  /// Places the insertions in the final list of their own side, from the last to the first: each takes the free
  /// position that its index names. Then builds the trees.
  private static func forest(_ edits: [ListRun.Edit], _ baseSize: Int) -> Forest {
    var free = FreePositions(count: baseSize + edits.count)
    var owner = [Int32](repeating: none, count: baseSize + edits.count)
    for number in edits.indices.reversed() {
      owner[free.take(nth: Int(edits[number].index))] = Int32(number)
    }
    var forest = Forest(
      left: Array(repeating: none, count: edits.count), right: Array(repeating: none, count: edits.count),
      rank: edits.map(\.rank))
    var place: Int32 = 0
    // The right edge of the tree being built, from its root downwards.
    var edge: [Int32] = []
    for node in owner {
      guard node != none else {
        if let root = edge.first { forest.roots.append((place, root)) }
        edge.removeAll(keepingCapacity: true)
        place += 1
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
    if let root = edge.first { forest.roots.append((place, root)) }
    return forest
  }

  /// Walks through all places in order.
  private mutating func run() {
    let (first, second) = (sides[0].roots, sides[1].roots)
    var (f, s) = (0, 0)
    while f < first.count || s < second.count {
      if s == second.count || (f < first.count && first[f].place < second[s].place) {
        emit(0, first[f].node)
        f += 1
      } else if f == first.count || second[s].place < first[f].place {
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

  /// Splits a tree of the second side into what ends before an insertion of the first and what ends behind it.
  private mutating func split(_ tree: Int32, at node: Int32) -> (ahead: Int32, behind: Int32) {
    let rank = sides[0].rank[Int(node)]
    var (ahead, behind) = (Self.none, Self.none)
    var (aheadEdge, behindEdge) = (Self.none, Self.none)
    var current = tree
    while current != Self.none {
      let at = Int(current)
      if rank < sides[1].rank[at] {
        // The first side's is earlier and comes first.
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

  /// Notes every insertion of a tree, in order.
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

/// The positions of a list that are not taken yet: a binary indexed tree of counts.
private struct FreePositions {
  private var counts: [Int32]
  private let top: Int

  init(count: Int) {
    counts = (0...count).map { Int32($0 & -$0) }
    var top = 1
    while top * 2 <= count { top *= 2 }
    self.top = top
  }

  /// Takes the free position with `index` free ones before it.
  mutating func take(nth index: Int) -> Int {
    var position = 0
    var rest = Int32(index)
    var step = top
    while step > 0 {
      let next = position + step
      if next < counts.count, counts[next] <= rest {
        position = next
        rest -= counts[next]
      }
      step /= 2
    }
    var taken = position + 1
    while taken < counts.count {
      counts[taken] -= 1
      taken += taken & -taken
    }
    return position
  }
}

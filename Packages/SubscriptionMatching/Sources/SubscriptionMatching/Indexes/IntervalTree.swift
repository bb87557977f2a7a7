import QueryLanguage

/// Intervals of keys, found by a key that lies in them: a treap ordered by lower ends, in which each node knows the
/// interval of its subtree that ends last.
///
/// Insertion and removal take O(log *n*) expected, a search O(min(*n*, (1 + *k*) log *n*)) for *k* of *n* intervals
/// found. Priorities come from a generator whose seed the owner gives, so that no order of insertions is a bad one.
///
/// - SeeAlso: Seidel and Aragon, "Randomized search trees", 1996; Cormen et al., "Introduction to Algorithms", 14.3.
struct IntervalTree: Sendable {
  private struct Node: Sendable {
    var range: KeyRange
    var slot: Int
    var priority: UInt64
    var left: Int?
    var right: Int?
    /// The node of the subtree whose interval ends last.
    var last: Int
  }

  private var nodes: [Node] = []
  private var free: [Int] = []
  private var root: Int?
  private var random: UInt64

  init(seed: UInt64) { random = seed }

  var isEmpty: Bool { root == nil }

  /// The number of nodes on the longest way down. O(*n*).
  var depth: Int { depth(root) }

  private func depth(_ at: Int?) -> Int {
    guard let at else { return 0 }
    return 1 + max(depth(nodes[at].left), depth(nodes[at].right))
  }

  /// Calls a closure with the cohorts of all intervals that hold a key.
  func find(_ key: LookupKey, _ body: (Int) -> Void) { find(key, root, body) }

  private func find(_ key: LookupKey, _ at: Int?, _ body: (Int) -> Void) {
    guard let at, nodes[nodes[at].last].range.reaches(key) else { return }
    find(key, nodes[at].left, body)
    guard nodes[at].range.begins(by: key) else { return }
    if nodes[at].range.reaches(key) { body(nodes[at].slot) }
    find(key, nodes[at].right, body)
  }

  mutating func insert(_ range: KeyRange, _ slot: Int) {
    let (left, right) = split(root, range, slot)
    let node = Node(range: range, slot: slot, priority: nextPriority(), last: 0)
    let at: Int
    if let reused = free.popLast() {
      at = reused
      nodes[at] = node
    } else {
      at = nodes.count
      nodes.append(node)
    }
    nodes[at].last = at
    root = merge(merge(left, at), right)
  }

  mutating func remove(_ range: KeyRange, _ slot: Int) { root = removing(root, range, slot) }

  private mutating func removing(_ at: Int?, _ range: KeyRange, _ slot: Int) -> Int? {
    guard let at else { return nil }
    let order = compare(at, range, slot)
    if order == 0 {
      nodes[at].range = KeyRange()
      free.append(at)
      return merge(nodes[at].left, nodes[at].right)
    }
    if order < 0 {
      nodes[at].right = removing(nodes[at].right, range, slot)
    } else {
      nodes[at].left = removing(nodes[at].left, range, slot)
    }
    refresh(at)
    return at
  }

  /// The nodes before an interval, and the others.
  private mutating func split(_ at: Int?, _ range: KeyRange, _ slot: Int) -> (Int?, Int?) {
    guard let at else { return (nil, nil) }
    if compare(at, range, slot) < 0 {
      let (left, right) = split(nodes[at].right, range, slot)
      nodes[at].right = left
      refresh(at)
      return (at, right)
    }
    let (left, right) = split(nodes[at].left, range, slot)
    nodes[at].left = right
    refresh(at)
    return (left, at)
  }

  private mutating func merge(_ left: Int?, _ right: Int?) -> Int? {
    guard let left else { return right }
    guard let right else { return left }
    if nodes[left].priority > nodes[right].priority {
      nodes[left].right = merge(nodes[left].right, right)
      refresh(left)
      return left
    }
    nodes[right].left = merge(left, nodes[right].left)
    refresh(right)
    return right
  }

  private func compare(_ at: Int, _ range: KeyRange, _ slot: Int) -> Int {
    let byLower = nodes[at].range.compareLower(range)
    if byLower != 0 { return byLower }
    let byUpper = nodes[at].range.compareUpper(range)
    return byUpper != 0 ? byUpper : nodes[at].slot - slot
  }

  /// Finds anew which interval of a subtree ends last.
  private mutating func refresh(_ at: Int) {
    var last = at
    for child in [nodes[at].left, nodes[at].right] {
      guard let child else { continue }
      let candidate = nodes[child].last
      if nodes[candidate].range.compareUpper(nodes[last].range) > 0 { last = candidate }
    }
    nodes[at].last = last
  }

  /// SplitMix64.
  private mutating func nextPriority() -> UInt64 {
    random &+= 0x9E37_79B9_7F4A_7C15
    var mixed = random
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

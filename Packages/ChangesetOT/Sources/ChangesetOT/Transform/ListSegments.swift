/// Two histories of one long list, carried over each other piece by piece.
///
/// An element of the base that neither side touches stays where it is between its neighbours, whatever happens: what
/// is done before it never meets what is done behind it, except that indices behind it shift. Such elements divide the
/// list into segments; edits of one segment only meet edits of the same segment. Indices in the whole list come from
/// the sizes of the segments.
///
/// A move from one segment to another is a removal in the one and an insertion in the other, as long as the other side
/// leaves the moved element alone. Otherwise both segments become one cluster: they are carried as one list, with one
/// element that stands for those between them.
///
/// - Complexity: O((*n* + *m*) √(*n* + *m*)) for finding the segments, plus the meetings in each cluster.
struct ListSegments {
  /// An edit, or half of a move, in its segment.
  private struct Part {
    var number: Int
    var segment: Int
    var index: Int32
    var targetSegment: Int
    var destination: Int32
    var edit: ListRun.Edit
    /// The place of the result in the cluster's run.
    var slot = 0
  }

  private struct Side {
    var parts: [Part] = []
    /// The sizes of the segments when all edits of this side are made.
    var sizes = SegmentSizes([])
    /// For each edit, its first part; one more at the end.
    var first: [Int] = []
  }

  /// Carries both over each other; returns false, with nothing changed, when the list does not fall into enough pieces.
  static func transform(_ left: inout ListRun, _ right: inout ListRun) -> Bool {
    let count = left.edits.count + right.edits.count
    // Sizes come from outside: what is set aside for a list stays in proportion to its edits.
    guard left.edits.count * right.edits.count > 4_000, let size = left.edits.first?.priorSize, size > 8,
      Int(size) <= max(1_000_000, 64 * count)
    else { return false }
    let (leftTouched, rightTouched) = (touched(left.edits, size), touched(right.edits, size))
    // Not more segments than edits: a segment may well hold untouched elements.
    let stride = size / Int32(count)
    var sizes: [Int32] = [0]
    for element in 0..<Int(size) {
      if leftTouched[element] || rightTouched[element] || sizes[sizes.count - 1] < stride {
        sizes[sizes.count - 1] += 1
      } else {
        sizes.append(0)
      }
    }
    guard sizes.count > 8 else { return false }
    var clusters = Clusters(count: sizes.count)
    var first = parts(left.edits, size, sizes, rightTouched, &clusters)
    var second = parts(right.edits, size, sizes, leftTouched, &clusters)
    let members = clusters.members()
    // Runs of both sides for each cluster.
    var runs: [Int: (ListRun, ListRun)] = [:]
    fill(&first, sizes, members, &clusters) { runs[$0, default: (ListRun(), ListRun())].0.append($1) }
    fill(&second, sizes, members, &clusters) { runs[$0, default: (ListRun(), ListRun())].1.append($1) }
    for cluster in runs.keys {
      guard var (a, b) = runs[cluster], !a.edits.isEmpty, !b.edits.isEmpty else { continue }
      a.transform(with: &b)
      runs[cluster] = (a, b)
    }
    let (leftSizes, rightSizes) = (first.sizes, second.sizes)
    let (leftSize, rightSize) = (size + left.growth, size + right.growth)
    write(first, &left, rightSizes, rightSize, members, &clusters) { runs[$0]?.0.edits[$1] }
    write(second, &right, leftSizes, leftSize, members, &clusters) { runs[$0]?.1.edits[$1] }
    return true
  }

  /// Which elements of the base are written, moved or removed.
  private static func touched(_ edits: [ListRun.Edit], _ size: Int32) -> [Bool] {
    var touched = Array(repeating: false, count: Int(size))
    var list = RunLengthList(count: size)
    func note(_ element: Int32) { if element >= 0 { touched[Int(element)] = true } }
    for edit in edits {
      switch edit.kind {
      case .insert: list.insert(RunLengthList.foreign, at: edit.index)
      case .set: note(list.element(at: edit.index))
      case .erase: note(list.remove(at: edit.index))
      case .move:
        let element = list.remove(at: edit.index)
        note(element)
        list.insert(element, at: edit.destination)
      case .dropped: break
      }
    }
    return touched
  }

  /// Finds the segments of every edit, and joins those between which an element moves that the other side touches.
  private static func parts(
    _ edits: [ListRun.Edit], _ size: Int32, _ sizes: [Int32], _ otherTouched: [Bool], _ clusters: inout Clusters
  ) -> Side {
    var side = Side()
    var list = RunLengthList(count: size)
    var now = SegmentSizes(sizes)
    for (number, edit) in edits.enumerated() {
      side.first.append(side.parts.count)
      let (segment, index) = now.locate(edit.index)
      var part = Part(
        number: number, segment: segment, index: index, targetSegment: segment, destination: 0, edit: edit)
      switch edit.kind {
      case .insert: list.insert(RunLengthList.foreign, at: edit.index)
      case .erase: _ = list.remove(at: edit.index)
      case .set, .dropped: break
      case .move:
        let element = list.remove(at: edit.index)
        list.insert(element, at: edit.destination)
        now.grow(segment, by: -1)
        (part.targetSegment, part.destination) = now.locate(edit.destination)
        if part.targetSegment != segment {
          if element < 0 || !otherTouched[Int(element)] {
            part.edit.kind = .erase
            part.edit.delta = -1
            var insertion = part
            insertion.segment = part.targetSegment
            insertion.index = part.destination
            insertion.edit.kind = .insert
            insertion.edit.delta = 1
            insertion.edit.isMoved = 1
            side.parts.append(part)
            side.parts.append(insertion)
            now.grow(part.targetSegment, by: 1)
            continue
          }
          clusters.join(segment, part.targetSegment)
        }
        now.grow(part.targetSegment, by: 1)
      }
      side.parts.append(part)
      now.grow(segment, by: edit.delta)
    }
    side.first.append(side.parts.count)
    side.sizes = now
    return side
  }

  /// Hands every part to its cluster's run, with indices in the cluster at that time.
  private static func fill(
    _ side: inout Side, _ sizes: [Int32], _ members: [[Int]], _ clusters: inout Clusters,
    _ append: (Int, ListRun.Edit) -> Void
  ) {
    var sizes = sizes
    var counts: [Int: Int] = [:]
    for number in side.parts.indices {
      let part = side.parts[number]
      let cluster = clusters.cluster(of: part.segment)
      func start(of segment: Int) -> Int32 {
        var start: Int32 = 0
        for member in members[cluster] {
          if member == segment { break }
          start += sizes[member] + 1
        }
        return start
      }
      var edit = part.edit
      edit.index = start(of: part.segment) + part.index
      if edit.kind == .move {
        sizes[part.segment] -= 1
        edit.destination = start(of: part.targetSegment) + part.destination
        sizes[part.targetSegment] += 1
      } else {
        sizes[part.segment] += edit.delta
      }
      side.parts[number].slot = counts[cluster, default: 0]
      counts[cluster, default: 0] += 1
      append(cluster, edit)
    }
  }

  /// Writes what became of every edit, with indices in the whole list as it is when the other side's edits are made.
  private static func write(
    _ side: Side, _ run: inout ListRun, _ start: SegmentSizes, _ startSize: Int32, _ members: [[Int]],
    _ clusters: inout Clusters, _ outcome: (Int, Int) -> ListRun.Edit?
  ) {
    var now = start
    var size = startSize
    func locate(_ index: Int32, _ cluster: Int) -> (segment: Int, index: Int32) {
      var rest = index
      for member in members[cluster] {
        if rest <= now.sizes[member] { return (member, rest) }
        rest -= now.sizes[member] + 1
      }
      return (members[cluster].last ?? 0, rest)
    }
    for number in run.edits.indices {
      var edit = run.edits[number]
      edit.priorSize = size
      for part in side.parts[side.first[number]..<side.first[number + 1]] {
        let cluster = clusters.cluster(of: part.segment)
        guard let result = outcome(cluster, part.slot), result.kind != .dropped else {
          edit.kind = .dropped
          continue
        }
        let (segment, index) = locate(result.index, cluster)
        let global = now.start(of: segment) + index
        if result.kind == .move {
          edit.index = global
          now.grow(segment, by: -1)
          let (target, destination) = locate(result.destination, cluster)
          edit.destination = now.start(of: target) + destination
          now.grow(target, by: 1)
        } else {
          if edit.kind == .move, result.kind == .insert { edit.destination = global } else { edit.index = global }
          now.grow(segment, by: result.delta)
          size += result.delta
        }
      }
      run.edits[number] = edit
    }
    run.raise = 0
  }
}

/// Segments that are carried as one list: a union of sets.
private struct Clusters {
  private var parent: [Int]

  init(count: Int) { parent = Array(0..<count) }

  mutating func cluster(of segment: Int) -> Int {
    var root = segment
    while parent[root] != root {
      parent[root] = parent[parent[root]]
      root = parent[root]
    }
    return root
  }

  mutating func join(_ left: Int, _ right: Int) {
    let (a, b) = (cluster(of: left), cluster(of: right))
    parent[max(a, b)] = min(a, b)
  }

  /// The segments of every cluster, ascending, under its number.
  mutating func members() -> [[Int]] {
    var members = Array(repeating: [Int](), count: parent.count)
    for segment in parent.indices { members[cluster(of: segment)].append(segment) }
    return members
  }
}

/// Transforms two histories of one long list segment by segment.
///
/// An element of the base that neither side touches keeps its neighbours on their sides: edits before it never conflict
/// with edits behind it, and only shift their indices. Such elements divide the list into segments. Edits of one segment
/// conflict only with edits of the same segment; indices of the whole list come from the sizes of the segments.
///
/// A move from one segment to another is an erasure in the one and an insertion in the other, as long as the other side
/// does not touch the moved element. Otherwise both segments become one cluster: they are transformed as one list, with
/// one element that stands for all between them.
///
/// Law: the result is that of `ListRun.transform(with:)` (`Docs/Algebra.md`, "The engines agree"). Without this form the
/// benchmark rows `ot.listMix-10k` and `ot.listMix-growth` fail.
///
/// - Complexity: O((*n* + *m*) √(*n* + *m*)) for finding the segments, plus the pairs in each cluster.
struct ListSegments {
  /// An edit, or one half of a move, in its segment.
  struct Part {
    var segment: Int
    var index: Int32
    var targetSegment: Int
    var destination: Int32
    var edit: ListRun.Edit
    /// The index of its edit in the run of the cluster.
    var runIndex = 0
  }

  /// The parts of one side.
  struct Side {
    var parts: [Part] = []
    /// The sizes of the segments after all edits of this side.
    var sizes = SegmentSizes([])
    /// The index of the first part of each edit, and the number of parts at the end.
    var first: [Int] = []
  }

  /// Transforms both runs; returns false, with nothing changed, when there are few pairs or the list has few segments.
  static func transform(_ left: inout ListRun, _ right: inout ListRun) -> Bool {
    let count = left.edits.count + right.edits.count
    // Sizes come from outside: memory for a list stays in proportion to its edits.
    guard left.edits.count * right.edits.count > 4_000, let size = left.edits.first?.priorSize, size > 8,
      Int(size) <= max(1_000_000, 64 * count)
    else { return false }
    let (leftTouched, rightTouched) = (touched(left.edits, size), touched(right.edits, size))
    // At most as many segments as edits: a segment may contain untouched elements.
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
    var clusters = SegmentClusters(count: sizes.count)
    var first = parts(left.edits, size, sizes, rightTouched, &clusters)
    var second = parts(right.edits, size, sizes, leftTouched, &clusters)
    let members = clusters.members()
    // The runs of both sides, by cluster.
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

  /// For each element of the base, whether an edit writes, moves or removes it.
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
}

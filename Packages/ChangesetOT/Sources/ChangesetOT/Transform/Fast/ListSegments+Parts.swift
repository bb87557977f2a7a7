extension ListSegments {
  /// Finds the segments of every edit, and joins those between which an element moves that the other side touches.
  static func parts(
    _ edits: [ListRun.Edit], _ size: Int32, _ sizes: [Int32], _ otherTouched: [Bool], _ clusters: inout SegmentClusters
  ) -> Side {
    var side = Side()
    var list = RunLengthList(count: size)
    var now = SegmentSizes(sizes)
    for edit in edits {
      side.first.append(side.parts.count)
      let (segment, index) = now.locate(edit.index)
      var part = Part(
        segment: segment, index: index, targetSegment: segment, destination: 0, edit: edit)
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

  /// Appends every part to the run of its cluster, with indices in the cluster at that time.
  static func fill(
    _ side: inout Side, _ sizes: [Int32], _ members: [[Int]], _ clusters: inout SegmentClusters,
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
      side.parts[number].runIndex = counts[cluster, default: 0]
      counts[cluster, default: 0] += 1
      append(cluster, edit)
    }
  }

  /// Writes the transformed parts back into the edits, with indices in the whole list after the other side's edits.
  ///
  /// - Parameter outcome: the transformed edit of a cluster at an index of its run.
  static func write(
    _ side: Side, _ run: inout ListRun, _ start: SegmentSizes, _ startSize: Int32, _ members: [[Int]],
    _ clusters: inout SegmentClusters, _ outcome: (Int, Int) -> ListRun.Edit?
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
        guard let result = outcome(cluster, part.runIndex), result.kind != .dropped else {
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

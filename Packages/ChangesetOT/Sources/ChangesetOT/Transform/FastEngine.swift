import DataModel

/// The result of ``PlainEngine``, without the pairs that cannot conflict.
///
/// Law: same result, instruction by instruction (`Docs/Algebra.md`, "The engines agree", argues each step). Each step serves
/// benchmark rows that the plain engine misses by orders of magnitude (`Tools/Benchmarks`, suite `ot.`):
///
/// | step | benchmark rows |
/// |---|---|
/// | ``branches(_:_:_:)`` leaves out objects that one side does not name | `ot.memory-sharedObjects`, `ot.transactions-500x1500` |
/// | ``Groups``: pairs only within one class, object or field | `ot.sharedObjects-10k`, `ot.objectMix-10k`, `ot.equalCreations-10k` |
/// | additions of one field do not conflict | `ot.hotCounter-10k` |
/// | dropped instructions leave the inner loop | `ot.hotField-10k` |
/// | ``Group/partitioned(_:_:)`` by dictionary key or set value | `ot.dictionary-10k` |
/// | ``ListRun``: list edits as plain numbers | `ot.listMix-10k`, `ot.memory-listMix` |
/// | ``ListInsertions``: insertions by counting | `ot.listInserts-10k`, `ot.listAppends-10k` |
/// | ``ListSegments``: pairs only within one segment of a list | `ot.listMix-10k`, `ot.listMix-growth` |
///
/// - Complexity: O(*n* + *m*) hashing, plus the pairs within each group.
enum FastEngine {
  /// Both sides; the longer one without the instructions on objects that the shorter does not name.
  ///
  /// Memory is in proportion to the shorter side and to the conflicts with it.
  static func branches(
    _ local: [Changeset], _ incoming: [Changeset], _ interner: inout AddressInterner
  ) -> (local: Branch, incoming: Branch) {
    let (localCount, incomingCount) = (local.instructionCount, incoming.instructionCount)
    if localCount <= incomingCount {
      let short = Branch(local, expected: localCount, interner: &interner)
      return (short, long(incoming, over: short, &interner))
    }
    let short = Branch(incoming, expected: incomingCount, interner: &interner)
    return (long(local, over: short, &interner), short)
  }

  private static func long(
    _ changesets: [Changeset], over short: Branch, _ interner: inout AddressInterner
  ) -> Branch {
    // The longer side needs more slots than the shorter one only where several of its instructions address one object.
    let expected = short.slots.count
    if short.hasSchema { return Branch(changesets, expected: expected, interner: &interner) }
    return Branch(changesets, expected: expected, interner: &interner) { instruction, interner in
      instruction.object.map(interner.knows) ?? true
    }
  }

  static func merge(
    local: inout Branch, incoming: inout Branch, mode: Transformer.Mode
  ) throws(TransformError) {
    guard !local.slots.isEmpty, !incoming.slots.isEmpty else { return }
    let groups = Groups(local, incoming)
    if groups.mayInsertEraseColumn {
      return try PlainEngine.merge(local: &local, incoming: &incoming, mode: mode)
    }
    for group in groups.all { try merge(group, &local, &incoming, mode) }
  }

  private static func merge(
    _ group: Group, _ local: inout Branch, _ incoming: inout Branch, _ mode: Transformer.Mode
  ) throws(TransformError) {
    if group.isOneField {
      if local.haveOnlyAdditions(group.local), incoming.haveOnlyAdditions(group.incoming) { return }
      if ListRun.merge(group, &local, &incoming) { return }
      if let partitions = group.partitioned(local, incoming) {
        for partition in partitions { try transformAllPairs(partition, &local, &incoming, mode) }
        return
      }
    }
    try transformAllPairs(group, &local, &incoming, mode)
  }

  /// The loop of the plain engine over one group. The inner loop skips the dropped instructions of a group once they are
  /// more than a quarter of it.
  static func transformAllPairs(
    _ group: Group, _ local: inout Branch, _ incoming: inout Branch, _ mode: Transformer.Mode
  ) throws(TransformError) {
    var alive = group.incoming
    for l in group.local {
      var dropped = 0
      for var i in alive {
        if incoming.slots[i].isDropped {
          dropped += 1
          continue
        }
        try PlainEngine.transformPair(&local, l, &incoming, &i, mode)
        if local.slots[l].isDropped { break }
      }
      if dropped > alive.count / 4 { alive.removeAll { incoming.slots[$0].isDropped } }
    }
  }
}

extension Branch {
  /// Whether all these slots add to a whole field. Additions commute.
  fileprivate func haveOnlyAdditions(_ indices: [Int]) -> Bool {
    indices.allSatisfy { slots[$0].code == .addInteger && slots[$0].instruction.target?.path.isEmpty == true }
  }
}

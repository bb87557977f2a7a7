/// Shortens a range of history that is given from its last entry to its first, and holds only what is left of it.
///
///     var compactor = HistoryCompactor()
///     for (position, changeset) in history.reversed() { compactor.prepend(changeset, at: position) }
///     for entry in compactor.finished() { send(entry.changeset, entry.position) }
///
/// The state that the range leads to does not change; see ``HistoryCompaction``.
public struct HistoryCompactor {
  /// An entry of which something is left.
  public struct Entry: Sendable {
    /// The place that the entry was given with.
    public var position: Int64
    /// The part of it that is left: never empty.
    public var changeset: Changeset
  }

  private var segment = CompactionSegment()
  /// The last entry first.
  private var kept: [Entry] = []

  /// A compactor of a range of which nothing was given yet.
  public init() {}

  /// Takes the entry before all that were given.
  ///
  /// - Returns: the number of its instructions that are left.
  /// - Complexity: O(instructions of the entry).
  @discardableResult
  public mutating func prepend(_ changeset: Changeset, at position: Int64) -> Int {
    var changeset = changeset
    changeset.instructions = segment.compacted(changeset.instructions)
    if !changeset.instructions.isEmpty { kept.append(Entry(position: position, changeset: changeset)) }
    return changeset.instructions.count
  }

  /// The entries of which something is left, the first first. Additions that can be one are one.
  ///
  /// - Complexity: O(instructions that are left).
  public func finished() -> [Entry] {
    var changesets = ArraySlice(kept.reversed().map(\.changeset))
    AdditionFolding.fold(&changesets)
    return zip(kept.reversed(), changesets).compactMap { entry, changeset in
      changeset.instructions.isEmpty ? nil : Entry(position: entry.position, changeset: changeset)
    }
  }
}

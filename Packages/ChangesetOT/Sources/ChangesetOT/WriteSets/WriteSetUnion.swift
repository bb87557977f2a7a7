/// A counted union of write sets: tells of single instructions whether they may conflict with a member.
///
///     var waiting = WriteSetUnion()
///     for changeset in mine { waiting.insert(WriteSet(changeset.instructions)) }
///     waiting.mayConflict(with: instruction)        // false: it can be applied as it is
///
/// Members are counted: an object leaves the union with the last member that addresses it.
public struct WriteSetUnion: Sendable {
  /// The number of members that address an object, by its hash value.
  private var counts: [Int: Int] = [:]
  /// The number of members that declare or erase a class or a column.
  private var schemaCount = 0
  private var hasher = ObjectHasher()

  /// The empty union.
  public init() {}

  private var isEmpty: Bool { counts.isEmpty && schemaCount == 0 }

  /// Adds a member.
  ///
  /// - Complexity: O(*n*) in the number of its objects.
  public mutating func insert(_ writeSet: WriteSet) {
    if writeSet.hasSchema { schemaCount += 1 }
    writeSet.forEachObject { counts[$0, default: 0] += 1 }
  }

  /// Removes a member that was inserted before.
  ///
  /// - Complexity: O(*n*) in the number of its objects.
  public mutating func remove(_ writeSet: WriteSet) {
    if writeSet.hasSchema { schemaCount -= 1 }
    writeSet.forEachObject { object in
      guard let count = counts[object], count > 1 else { return counts[object] = nil }
      counts[object] = count - 1
    }
  }

  /// Whether an instruction may change, or be changed by, an instruction of a member. O(1).
  public mutating func mayConflict(with instruction: Instruction) -> Bool {
    if isEmpty { return false }
    guard schemaCount == 0, let object = instruction.object else { return true }
    return counts[hasher.hash(object)] != nil
  }
}

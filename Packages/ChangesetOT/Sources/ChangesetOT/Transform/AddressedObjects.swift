/// What some footprints address together, each as often as it was added: says of one instruction after another whether it
/// meets any of them.
///
///     var waiting = AddressedObjects()
///     for changeset in mine { waiting.insert(Footprint(changeset.instructions)) }
///     waiting.mayMeet(instruction)        // false: it can be applied as it is
public struct AddressedObjects: Sendable {
  /// How many footprints address an object, by its hash value.
  private var counts: [Int: Int] = [:]
  /// How many declare or erase a class or a column.
  private var schemaCount = 0
  private var hashes = ObjectHashes()

  /// Nothing.
  public init() {}

  private var isEmpty: Bool { counts.isEmpty && schemaCount == 0 }

  /// Adds what a footprint addresses.
  public mutating func insert(_ footprint: Footprint) {
    if footprint.hasSchema { schemaCount += 1 }
    footprint.forEachObject { counts[$0, default: 0] += 1 }
  }

  /// Takes away what was added with an equal footprint.
  public mutating func remove(_ footprint: Footprint) {
    if footprint.hasSchema { schemaCount -= 1 }
    footprint.forEachObject { object in
      guard let count = counts[object], count > 1 else { return counts[object] = nil }
      counts[object] = count - 1
    }
  }

  /// Whether an instruction may change, or be changed by, something of what was added.
  public mutating func mayMeet(_ instruction: Instruction) -> Bool {
    if isEmpty { return false }
    guard schemaCount == 0, let object = instruction.object else { return true }
    return counts[hashes.hash(object)] != nil
  }
}

/// Which objects a changeset addresses: enough to tell that two sides have nothing to do with each other.
///
///     let mine = Footprint(local.instructions), theirs = Footprint(incoming.instructions)
///     mine.mayMeet(theirs)        // false: carrying one over the other leaves both as they are
///
/// A merge of histories that hardly meet costs what meets, when footprints of the long side are kept.
///
/// Of use within one process: objects are told apart by hash values, which differ from run to run. Equal values of
/// different objects make a footprint say that they may meet when they do not, never the other way.
public struct Footprint: Hashable, Sendable {
  /// Hash values of the objects, ascending, each once.
  private let objects: [Int]
  /// Whether a class or a column is declared or erased, which concerns objects that are not named.
  private let hasSchema: Bool

  /// How many objects are told apart: what the footprint takes, in words.
  public var count: Int { objects.count }

  /// What instructions address.
  /// - Complexity: O(*n* log *n*)
  public init(_ instructions: some Sequence<Instruction>) {
    var objects: Set<Int> = []
    var hasSchema = false
    for instruction in instructions {
      guard let object = instruction.object else {
        hasSchema = true
        continue
      }
      objects.insert(object.hashValue)
    }
    self.objects = objects.sorted()
    self.hasSchema = hasSchema
  }

  /// Whether something on one side may change, or be changed by, something on the other.
  /// - Complexity: O(*n* log *m*), *n* being the smaller of both counts.
  public func mayMeet(_ other: Footprint) -> Bool {
    if hasSchema { return !other.isEmpty }
    if other.hasSchema { return !isEmpty }
    let (few, many) = objects.count < other.objects.count ? (objects, other.objects) : (other.objects, objects)
    return few.contains { object in
      var (low, high) = (0, many.count)
      while low < high {
        let middle = (low + high) / 2
        if many[middle] < object { low = middle + 1 } else { high = middle }
      }
      return low < many.count && many[low] == object
    }
  }

  private var isEmpty: Bool { objects.isEmpty && !hasSchema }
}

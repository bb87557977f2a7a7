import DataModel

/// The objects that a changeset addresses, as hash values: proves that two sides cannot conflict.
///
///     let mine = WriteSet(local.instructions), theirs = WriteSet(incoming.instructions)
///     mine.mayConflict(with: theirs)        // false: the transform leaves both as they are
///
/// A merge of histories with few conflicts costs O(conflicts) when the write sets of the longer side are kept.
///
/// Valid within one process: hash values differ from run to run. A collision of hash values makes
/// ``mayConflict(with:)`` true without a conflict, never false with one.
public struct WriteSet: Hashable, Sendable {
  /// Hash values of the objects. The common set of one object takes no allocation.
  private enum Objects: Hashable, Sendable {
    case one(Int)
    /// Ascending and distinct; empty, or at least two.
    case several([Int])
  }

  private let objects: Objects
  /// One bit for each hash value: two disjoint masks prove that the sets are disjoint.
  private let mask: UInt64
  /// Whether a class or a column is declared or erased. Such an instruction conflicts with objects that it does not name.
  let hasSchema: Bool

  /// The number of objects, which is the memory of the set in words.
  public var count: Int {
    switch objects {
    case .one: 1
    case .several(let all): all.count
    }
  }

  /// Calls `body` with the hash value of each object.
  func forEachObject(_ body: (Int) -> Void) {
    switch objects {
    case .one(let object): body(object)
    case .several(let all): for object in all { body(object) }
    }
  }

  /// The write set of one changeset.
  ///
  /// - Complexity: O(*n* log *n*) in the number of instructions.
  public init(_ instructions: [Instruction]) { self.init(CollectionOfOne(instructions)) }

  /// The write set of several changesets together.
  ///
  /// - Complexity: O(*n* log *n*) in the number of instructions.
  public init(_ changesets: [Changeset]) { self.init(changesets.lazy.map(\.instructions)) }

  private init(_ parts: some Sequence<[Instruction]>) {
    var collector = WriteSetCollector()
    for part in parts {
      for instruction in part { collector.add(instruction) }
    }
    self = collector.writeSet
  }

  /// The union of several write sets.
  ///
  /// - Complexity: O(*n* log *n*) in the sum of their counts.
  public init(joining parts: [WriteSet]) {
    var found: [Int] = []
    for part in parts { part.forEachObject { found.append($0) } }
    self.init(found, hasSchema: parts.contains(where: \.hasSchema))
  }

  /// - Parameter found: hash values of objects in any order, repeated or not.
  init(_ found: [Int], hasSchema: Bool) {
    self.hasSchema = hasSchema
    mask = found.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    if found.count == 1 { objects = .one(found[0]) } else { objects = .several(Self.sortedDistinct(found)) }
  }

  private static func sortedDistinct(_ values: [Int]) -> [Int] {
    var values = values
    values.sort()
    var count = 0
    for value in values where count == 0 || values[count - 1] != value {
      values[count] = value
      count += 1
    }
    values.removeSubrange(count...)
    return values
  }

  /// Whether an instruction of one side may change, or be changed by, an instruction of the other.
  ///
  /// - Complexity: O(*n* log *m*), *n* being the smaller of both counts.
  public func mayConflict(with other: WriteSet) -> Bool {
    if hasSchema { return !other.isEmpty }
    if other.hasSchema { return !isEmpty }
    guard mask & other.mask != 0 else { return false }
    switch (objects, other.objects) {
    case (.one(let left), .one(let right)): return left == right
    case (.one(let one), .several(let all)), (.several(let all), .one(let one)): return Self.contains(one, in: all)
    case (.several(let left), .several(let right)):
      let (few, many) = left.count < right.count ? (left, right) : (right, left)
      return few.contains { Self.contains($0, in: many) }
    }
  }

  /// Binary search in an ascending array.
  private static func contains(_ object: Int, in all: [Int]) -> Bool {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle] < object { low = middle + 1 } else { high = middle }
    }
    return low < all.count && all[low] == object
  }

  private var isEmpty: Bool { count == 0 && !hasSchema }
}

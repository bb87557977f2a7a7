import DataModel

/// Hash values of objects, which are mostly of one class for a while.
struct ObjectHashes: Sendable {
  private var className = ""
  private var classHash = "".hashValue

  mutating func hash(_ object: ObjectReference) -> Int {
    if object.className != className {
      className = object.className
      classHash = className.hashValue
    }
    guard case .int(let number) = object.key else {
      var hasher = Hasher()
      hasher.combine(classHash)
      hasher.combine(object.key)
      return hasher.finalize()
    }
    // One to one within a class.
    var bits = UInt64(bitPattern: number) &+ UInt64(bitPattern: Int64(classHash))
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: bits ^ bits >> 31)
  }
}

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
  /// Hash values of the objects. Most changesets are of one object, for which nothing is allocated.
  private enum Objects: Hashable, Sendable {
    case one(Int)
    /// Ascending, each once; none or several.
    case several([Int])
  }

  private let objects: Objects
  /// One bit for each hash value: two disjoint masks prove that the sets are disjoint.
  private let mask: UInt64
  /// Whether a class or a column is declared or erased, which concerns objects that are not named.
  let hasSchema: Bool

  /// How many objects are told apart: the memory of the set, in words.
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

  /// What instructions address.
  /// - Complexity: O(*n* log *n*)
  public init(_ instructions: [Instruction]) { self.init(CollectionOfOne(instructions)) }

  /// What the instructions of several changesets address.
  /// - Complexity: O(*n* log *n*)
  public init(_ changesets: [Changeset]) { self.init(changesets.lazy.map(\.instructions)) }

  private init(_ parts: some Sequence<[Instruction]>) {
    var collector = WriteSetCollector()
    for part in parts {
      for instruction in part { collector.add(instruction) }
    }
    self = collector.writeSet
  }

  /// The union of several write sets.
  /// - Complexity: O(*n* log *n*)
  public init(joining parts: [WriteSet]) {
    var found: [Int] = []
    for part in parts { part.forEachObject { found.append($0) } }
    self.init(found, hasSchema: parts.contains(where: \.hasSchema))
  }

  /// - Parameter found: hash values of objects, in any order.
  fileprivate init(_ found: [Int], hasSchema: Bool) {
    self.hasSchema = hasSchema
    mask = found.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    if found.count == 1 { objects = .one(found[0]) } else { objects = .several(Self.set(found)) }
  }

  /// Ascending, each once.
  private static func set(_ values: [Int]) -> [Int] {
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

  /// Whether something on one side may change, or be changed by, something on the other.
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

/// Collects what one changeset after another addresses, without decoding more of their bytes than it takes.
///
///     var collector = WriteSetCollector()
///     for entry in download { try collector.add(entry.changeset[...], with: &decoder) }
///     collector.writeSet.mayConflict(with: mine)
public struct WriteSetCollector {
  private var found: [Int] = []
  private var hasSchema = false
  /// Changesets say one thing after another of one object.
  private var last: ObjectReference?
  private var hashes = ObjectHashes()
  /// Whether an object of a changeset that was read is named as one of its author's file; see ``Changeset/resolveProvisionalKeys()``.
  public private(set) var hasProvisionalKeys = false

  /// A collector of nothing yet.
  public init() {}

  /// What was collected.
  public var writeSet: WriteSet { WriteSet(found, hasSchema: hasSchema) }

  /// Adds what an instruction addresses.
  mutating func add(_ instruction: Instruction) {
    guard let object = instruction.object else {
      hasSchema = true
      return
    }
    guard object != last else { return }
    found.append(hashes.hash(object))
    last = object
  }

  /// Adds what a changeset addresses.
  /// - Complexity: O(*n*) in the number of bytes.
  public mutating func add(
    _ changeset: ArraySlice<UInt8>, with decoder: inout ChangesetDecoder
  ) throws(ChangesetDecodingError) {
    decoder.start(changeset)
    while let instruction = try decoder.reader.next() {
      add(instruction)
      if !hasProvisionalKeys { hasProvisionalKeys = instruction.hasProvisionalKeys }
      while try decoder.reader.nextCell() != nil {}
    }
  }
}

/// Entries of an index of integers: a run of numbers and one of rows, coded as ``IntegerRunCoding``.
struct IntBlock: TreeBlock {
  private(set) var numbers: IntegerRun
  private(set) var rows: IntegerRun

  init(room: Int) {
    numbers = IntegerRun(room: room)
    rows = IntegerRun(room: room)
  }

  static var kind: NodeKind { .intTree }
  static var patchKind: NodeKind { .intLeafPatch }
  static var maximumCount: Int { 128 }
  static var maximumCost: Int { .max }
  static var keepsGreatest: Bool { true }
  static var largeDelta: Int { 2048 }
  static var noContent: Void { () }

  var count: Int { numbers.count }
  var cost: Int { numbers.cost + rows.cost }

  func key(_ index: Int) -> IntKey { IntKey(number: numbers[index], row: rows[index]) }
  func content(_ index: Int) {}

  func compare(_ index: Int, _ key: IntKey) -> Int {
    let number = numbers[index]
    if number != key.number { return number < key.number ? -1 : 1 }
    let row = rows[index]
    return row == key.row ? 0 : row < key.row ? -1 : 1
  }

  /// One division where the numbers ascend in equal steps, else a binary search. The division serves
  /// store.key-lookups.
  func lowerBound(_ key: IntKey) -> Int {
    guard numbers.isProgression, numbers.step > 0 else { return listedBound(key) }
    // Each number occurs once.
    let bound = numbers.ascendingBound(key.number)
    return bound < count && numbers[bound] == key.number && rows[bound] < key.row ? bound + 1 : bound
  }

  /// A binary search.
  private func listedBound(_ key: IntKey) -> Int {
    var low = 0
    var length = count
    while length > 0 {
      let half = length >> 1
      let goesRight = compare(low + half, key) < 0
      low = goesRight ? low + half + 1 : low
      length = goesRight ? length - half - 1 : half
    }
    return low
  }

  mutating func append(_ key: IntKey, _ content: Void) {
    numbers.append(key.number)
    rows.append(key.row)
  }

  mutating func append(_ range: Range<Int>, of other: IntBlock) {
    numbers.append(range, of: other.numbers)
    rows.append(range, of: other.rows)
  }

  func encode(into writer: inout NodeWriter) {
    IntegerRunCoding.encode(numbers, into: &writer)
    IntegerRunCoding.encode(rows, into: &writer)
  }

  static func decode(_ reader: inout NodeReader, count: Int) throws -> IntBlock {
    var block = IntBlock()
    block.numbers = IntegerRun(try IntegerRunCoding.decode(&reader, count: count))
    block.rows = IntegerRun(try IntegerRunCoding.decode(&reader, count: count))
    return block
  }

  static func isBefore(_ left: IntKey, _ right: IntKey) -> Bool { left < right }

  static func order(_ edits: [PendingEdit<IntBlock>]) -> [Int32] {
    let positions = edits.indices.map { Int32($0) }
    // Ids mostly arrive in order. Serves store.insert-1m.
    if zip(edits, edits.dropFirst()).allSatisfy({ !($1.edit.key < $0.edit.key) }) { return positions }
    return positions.sorted { left, right in
      let (first, second) = (edits[Int(left)].edit.key, edits[Int(right)].edit.key)
      return first == second ? left < right : first < second
    }
  }
}

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

  /// The entries after some edits; few edits to listed entries cost one copy of them.
  func merged(with edits: ArraySlice<TreeEdit<IntBlock>>) -> IntBlock {
    guard edits.count * 8 < count, !numbers.isProgression, !rows.isProgression else { return mergedByParts(edits) }
    var merged = IntBlock()
    let size = count + edits.count
    merged.rows = IntegerRun(size: size) { newRows in
      var length = 0
      merged.numbers = IntegerRun(size: size) { newNumbers in
        length = copy(with: edits, to: newNumbers, newRows)
        return length
      }
      return length
    }
    return merged
  }

  /// Writes numbers and rows after edits; returns their count.
  private func copy(
    with edits: ArraySlice<TreeEdit<IntBlock>>, to newNumbers: UnsafeMutablePointer<Int64>,
    _ newRows: UnsafeMutablePointer<Int64>
  ) -> Int {
    numbers.listed.withUnsafeBufferPointer { numbers in
      rows.listed.withUnsafeBufferPointer { rows in
        guard let oldNumbers = numbers.baseAddress, let oldRows = rows.baseAddress else { return 0 }
        var (at, length) = (0, 0)
        func take(_ end: Int) {
          (newNumbers + length).update(from: oldNumbers + at, count: end - at)
          (newRows + length).update(from: oldRows + at, count: end - at)
          length += end - at
          at = end
        }
        for edit in edits {
          let bound = max(lowerBound(edit.key), at)
          take(bound)
          if bound < count, compare(bound, edit.key) == 0 { at += 1 }
          guard edit.content != nil else { continue }
          newNumbers[length] = edit.key.number
          newRows[length] = edit.key.row
          length += 1
        }
        take(count)
        return length
      }
    }
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
}

/// The key of an entry in an index of integers: the indexed number, then the row.
struct IntKey: Hashable, Comparable, Sendable {
  var number: Int64
  var row: Int64

  @inline(__always) static func < (left: IntKey, right: IntKey) -> Bool {
    left.number != right.number ? left.number < right.number : left.row < right.row
  }
}

/// Entries of an index of integers: a run of numbers and one of rows, coded as ``IntegerBlock``.
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
  static var wideOverlay: Int { 2048 }
  static var noContent: Void { () }

  var count: Int { numbers.count }
  var cost: Int { numbers.cost + rows.cost }

  func key(_ index: Int) -> IntKey { IntKey(number: numbers[index], row: rows[index]) }
  func content(_ index: Int) {}

  @inline(__always) func compare(_ index: Int, _ key: IntKey) -> Int {
    let number = numbers[index]
    if number != key.number { return number < key.number ? -1 : 1 }
    let row = rows[index]
    return row == key.row ? 0 : row < key.row ? -1 : 1
  }

  @inline(__always) func lowerBound(_ key: IntKey) -> Int {
    guard numbers.isProgression, numbers.step > 0 else { return listedBound(key) }
    // Numbers that ascend in equal steps, each there once.
    let bound = numbers.ascendingBound(key.number)
    return bound < count && numbers[bound] == key.number && rows[bound] < key.row ? bound + 1 : bound
  }

  /// Begins where the key would be if the numbers were spread evenly, as ids often are; from there in growing steps.
  private func listedBound(_ key: IntKey) -> Int {
    @inline(__always) func isBefore(_ index: Int) -> Bool {
      let number = numbers[index]
      return number < key.number || number == key.number && rows[index] < key.row
    }
    guard count > 0 else { return 0 }
    let first = numbers[0]
    guard first < key.number else { return isBefore(0) ? search(1, count, isBefore) : 0 }
    let last = numbers[count - 1]
    guard last >= key.number else { return count }
    let width = Double(UInt64(bitPattern: last &- first))
    let guess = min(Int(Double(UInt64(bitPattern: key.number &- first)) / width * Double(count - 1)), count - 1)
    var step = 1
    if isBefore(guess) {
      var low = guess + 1
      while low + step < count, isBefore(low + step) {
        low += step + 1
        step *= 2
      }
      return search(low, min(low + step, count), isBefore)
    }
    var high = guess
    while high - step >= 0, !isBefore(high - step) {
      high -= step
      step *= 2
    }
    return search(max(high - step + 1, 0), high, isBefore)
  }

  /// The first position from `low` on that is not before the key, `high` if there is none.
  @inline(__always) private func search(_ low: Int, _ high: Int, _ isBefore: (Int) -> Bool) -> Int {
    var low = low
    var length = high - low
    while length > 0 {
      let half = length >> 1
      let goesRight = isBefore(low + half)
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

  /// A few edits to a run of listed entries are one copy of it.
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

  /// Writes numbers and rows after edits; returns how many there are.
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
    IntegerBlock.encode(numbers, into: &writer)
    IntegerBlock.encode(rows, into: &writer)
  }

  static func decode(_ reader: inout NodeReader, count: Int) throws -> IntBlock {
    var block = IntBlock()
    block.numbers = IntegerRun(try IntegerBlock.decode(&reader, count: count))
    block.rows = IntegerRun(try IntegerBlock.decode(&reader, count: count))
    return block
  }

  @inline(__always) static func isBefore(_ left: IntKey, _ right: IntKey) -> Bool { left < right }

  static func order(_ edits: [PendingEdit<IntBlock>]) -> [Int32] {
    let isSorted = edits.withUnsafeBufferPointer { edits in
      var index = 1
      while index < edits.count {
        if edits[index].edit.key < edits[index - 1].edit.key { return false }
        index += 1
      }
      return true
    }
    if isSorted { return edits.indices.map { Int32($0) } }
    if edits.count < fewCount {
      return edits.indices.map { Int32($0) }.sorted { left, right in
        let (first, second) = (edits[Int(left)].edit.key, edits[Int(right)].edit.key)
        return first == second ? left < right : first < second
      }
    }
    var order = radixOrder(edits)
    // Rows usually arrive ascending, so that runs of one number are in order already.
    var start = 0
    while start < order.count {
      var end = start + 1
      var isRunSorted = true
      let number = edits[Int(order[start])].edit.key.number
      while end < order.count, edits[Int(order[end])].edit.key.number == number {
        let (earlier, later) = (edits[Int(order[end - 1])].edit.key, edits[Int(order[end])].edit.key)
        isRunSorted = isRunSorted && earlier.row <= later.row
        end += 1
      }
      if !isRunSorted {
        order[start..<end].sort { left, right in
          let (leftRow, rightRow) = (edits[Int(left)].edit.key.row, edits[Int(right)].edit.key.row)
          return leftRow != rightRow ? leftRow < rightRow : left < right
        }
      }
      start = end
    }
    return order
  }

  /// Keys below this number are sorted by comparing them.
  private static var fewCount: Int { 256 }

  /// Positions ordered by number, 11 bits at a time, over the bits in which the numbers differ.
  private static func radixOrder(_ edits: [PendingEdit<IntBlock>]) -> [Int32] {
    let least = edits.reduce(Int64.max) { min($0, $1.edit.key.number) }
    let digits = edits.map { UInt64(bitPattern: $0.edit.key.number &- least) }
    let most = digits.max() ?? 0
    var source = edits.indices.map { Int32($0) }
    var target = [Int32](repeating: 0, count: edits.count)
    var shift: UInt64 = 0
    while shift < 64, most >> shift != 0 {
      var starts = [Int](repeating: 0, count: 2049)
      digits.withUnsafeBufferPointer { digits in
        starts.withUnsafeMutableBufferPointer { starts in
          source.withUnsafeBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
              for digit in digits { starts[Int(digit >> shift & 2047) + 1] += 1 }
              for bucket in 1..<2049 { starts[bucket] += starts[bucket - 1] }
              for position in source {
                let bucket = Int(digits[Int(position)] >> shift & 2047)
                target[starts[bucket]] = position
                starts[bucket] += 1
              }
            }
          }
        }
      }
      swap(&source, &target)
      shift += 11
    }
    return source
  }
}

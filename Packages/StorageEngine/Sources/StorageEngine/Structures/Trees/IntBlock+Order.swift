extension IntBlock {
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

  /// Fewer keys than this are sorted by comparison.
  private static var fewCount: Int { 256 }

  /// A radix sort: positions ordered by number, 11 bits at a time, over the bits in which the numbers differ.
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

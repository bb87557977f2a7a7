extension Cluster {
  /// Computes the least and greatest live value of each numeric column that lacks them; of the inserted rows alone
  /// where those of the earlier rows are known.
  func computeStatistics() {
    for number in 0..<columnCount where columns[number].isPresent && !columns[number].hasStatistics {
      let column = columns + number
      let values = column.pointee.values
      switch column.pointee.type {
      case .int, .link, .timestamp: computeIntegers(column, values.assumingMemoryBound(to: Int64.self))
      case .double:
        let doubles = values.assumingMemoryBound(to: Double.self)
        computeDoubles(column) { doubles[$0] }
      case .float:
        let floats = values.assumingMemoryBound(to: Float.self)
        computeDoubles(column) { Double(floats[$0]) }
      default: break
      }
      column.pointee.knowsEarlierRows = false
    }
    firstInserted = 256
  }

  /// The first slot to visit.
  private func start(_ column: UnsafeMutablePointer<ClusterColumn>) -> Int {
    column.pointee.knowsEarlierRows ? firstInserted : 0
  }

  /// The live, non-null slots of a word, from `start` on.
  private func bits(_ word: Int, _ column: UnsafeMutablePointer<ClusterColumn>, from start: Int) -> UInt64 {
    let bits = alive[word] & ~column.pointee.nulls[word]
    return word == start >> 6 ? bits & (.max << UInt64(start & 63)) : bits
  }

  private func computeIntegers(_ column: UnsafeMutablePointer<ClusterColumn>, _ values: UnsafeMutablePointer<Int64>) {
    let start = start(column)
    var isAny = column.pointee.knowsEarlierRows
    var least = isAny ? Int64(bitPattern: column.pointee.minimumBits) : .max
    var most = isAny ? Int64(bitPattern: column.pointee.maximumBits) : .min
    for word in start >> 6..<4 {
      var bits = bits(word, column, from: start)
      if bits == 0 { continue }
      isAny = true
      if bits == .max {
        for slot in word * 64..<word * 64 + 64 {
          least = min(least, values[slot])
          most = max(most, values[slot])
        }
        continue
      }
      while bits != 0 {
        let value = values[word * 64 + bits.trailingZeroBitCount]
        least = min(least, value)
        most = max(most, value)
        bits &= bits - 1
      }
    }
    column.pointee.hasStatistics = isAny
    column.pointee.minimumBits = UInt64(bitPattern: least)
    column.pointee.maximumBits = UInt64(bitPattern: most)
  }

  private func computeDoubles(_ column: UnsafeMutablePointer<ClusterColumn>, _ value: (Int) -> Double) {
    let start = start(column)
    var isAny = column.pointee.knowsEarlierRows
    var least = isAny ? Double(bitPattern: column.pointee.minimumBits) : .infinity
    var most = isAny ? Double(bitPattern: column.pointee.maximumBits) : -.infinity
    var isOrdered = true
    for word in start >> 6..<4 {
      var bits = bits(word, column, from: start)
      while bits != 0 {
        let value = value(word * 64 + bits.trailingZeroBitCount)
        isAny = true
        if value.isNaN { isOrdered = false }
        least = value < least ? value : least
        most = value > most ? value : most
        bits &= bits - 1
      }
    }
    column.pointee.hasStatistics = isAny && isOrdered
    column.pointee.minimumBits = least.bitPattern
    column.pointee.maximumBits = most.bitPattern
  }
}

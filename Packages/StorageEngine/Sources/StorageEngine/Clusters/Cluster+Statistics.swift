extension Cluster {
  /// Finds the least and greatest live value of each numeric column of which they are not known.
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
    }
  }

  private func computeIntegers(_ column: UnsafeMutablePointer<ClusterColumn>, _ values: UnsafeMutablePointer<Int64>) {
    var least = Int64.max
    var most = Int64.min
    var isAny = false
    for word in 0..<4 {
      var bits = alive[word] & ~column.pointee.nulls[word]
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

  @inline(__always)
  private func computeDoubles(_ column: UnsafeMutablePointer<ClusterColumn>, _ value: (Int) -> Double) {
    var least = Double.infinity
    var most = -Double.infinity
    var isAny = false
    var isOrdered = true
    for word in 0..<4 {
      var bits = alive[word] & ~column.pointee.nulls[word]
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

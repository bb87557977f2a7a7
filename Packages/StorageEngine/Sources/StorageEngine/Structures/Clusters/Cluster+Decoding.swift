extension Cluster {
  static func decode(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws -> Cluster {
    let index = try reader.count(limit: 1 << 48)
    let limit = Int(try reader.byte()) + 1
    var alive: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    if try reader.byte() == 1 {
      withUnsafeMutableBytes(of: &alive) { bytes in
        let words = bytes.assumingMemoryBound(to: UInt64.self)
        for word in 0..<4 {
          let bits = min(max(limit - word * 64, 0), 64)
          words[word] = bits == 64 ? .max : (1 << UInt64(bits)) - 1
        }
      }
    } else {
      alive = (try reader.fixed(), try reader.fixed(), try reader.fixed(), try reader.fixed())
    }
    let count = try reader.count(limit: 4096)
    // Columns are parsed twice: shapes first, to make one allocation, then cells.
    let start = reader
    var shapes: [ColumnShape] = []
    var previous = -1
    for _ in 0..<count {
      let number = try reader.count(limit: 4095)
      guard number > previous else { throw reader.damage("columns are out of order") }
      previous = number
      guard let type = ColumnType(rawValue: try reader.byte()) else {
        throw reader.damage("a column has an unknown type")
      }
      shapes.append(ColumnShape(id: number, type: type, isNullable: false))
      try skipCells(type, limit, &reader)
    }
    try reader.finish()
    reader = start
    let cluster = empty(index: index, shapes: shapes, source: loader.source)
    (cluster.alive[0], cluster.alive[1], cluster.alive[2], cluster.alive[3]) = alive
    for shape in shapes {
      _ = try reader.varint()
      _ = try reader.byte()
      try cluster.decodeCells(cluster.columns + shape.id, shape.type, limit, &reader)
    }
    cluster.computeStatistics()
    cluster.node = id
    cluster.fullNode = id
    return cluster
  }

  private static func skipInteger(_ limit: Int, _ reader: inout NodeReader) throws {
    let mode = try reader.byte()
    _ = try reader.signed()
    switch mode {
    case 0: break
    case IntegerRunCoding.progression: _ = try reader.signed()
    case 1, 2, 4, 8: _ = try reader.take(limit * Int(mode))
    default: throw reader.damage("a run of integers has an unknown form")
    }
  }

  private static func skipCells(_ type: ColumnType, _ limit: Int, _ reader: inout NodeReader) throws {
    let flags = try reader.byte()
    if flags & 1 != 0 { _ = try reader.take(32) }
    if flags & 2 != 0 { return }
    switch type {
    case .int, .link: try skipInteger(limit, &reader)
    case .timestamp:
      try skipInteger(limit, &reader)
      try skipInteger(limit, &reader)
    case .double: _ = try reader.take(limit * 8)
    case .float: _ = try reader.take(limit * 4)
    case .objectId: _ = try reader.take(limit * 12)
    case .uuid, .decimal128: _ = try reader.take(limit * 16)
    case .bool: _ = try reader.take(32)
    case .string, .data, .mixed, .list, .map:
      if flags & 4 != 0 { _ = try reader.take(32) }
      _ = try reader.take(try lengths(limit, &reader))
    }
  }

  /// Skips a block of lengths; returns their sum.
  private static func lengths(_ limit: Int, _ reader: inout NodeReader) throws -> Int {
    try withUnsafeTemporaryAllocation(of: Int64.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      try IntegerRunCoding.decode(&reader, count: limit, into: start)
      var total = 0
      for slot in 0..<limit {
        guard start[slot] >= 0, start[slot] <= Int64(reader.bytes.count) else {
          throw reader.damage("a length is wrong")
        }
        total += Int(start[slot])
      }
      return total
    }
  }

  private func decodeCells(
    _ column: UnsafeMutablePointer<ClusterColumn>, _ type: ColumnType, _ limit: Int, _ reader: inout NodeReader
  ) throws {
    let flags = try reader.byte()
    if flags & 1 != 0 { for word in 0..<4 { column.pointee.nulls[word] = try reader.fixed() } }
    column.pointee.hasExternalCells = flags & 4 != 0
    if flags & 2 != 0 { return }
    let values = column.pointee.values
    func copy(_ count: Int) throws {
      let bytes = try reader.take(count)
      if let start = bytes.baseAddress { values.copyMemory(from: start, byteCount: count) }
    }
    switch type {
    case .int: try decodeIntegers(column, limit, zero: 0, &reader)
    case .link: try decodeIntegers(column, limit, zero: -1, &reader)
    case .timestamp:
      try decodeIntegers(column, limit, zero: 0, &reader)
      let nanoseconds = (values + 2048).assumingMemoryBound(to: Int32.self)
      for (slot, value) in try IntegerRunCoding.decode(&reader, count: limit).enumerated() {
        nanoseconds[slot] = Int32(truncatingIfNeeded: value)
      }
    case .double: try copy(limit * 8)
    case .float: try copy(limit * 4)
    case .objectId: try copy(limit * 12)
    case .uuid, .decimal128: try copy(limit * 16)
    case .bool: try copy(32)
    case .string, .data, .mixed, .list, .map: try decodeRanges(column, limit, &reader)
    }
  }

  private func decodeIntegers(
    _ column: UnsafeMutablePointer<ClusterColumn>, _ limit: Int, zero: Int64, _ reader: inout NodeReader
  ) throws {
    let values = column.pointee.values.assumingMemoryBound(to: Int64.self)
    try IntegerRunCoding.decode(&reader, count: limit, into: values)
    for word in 0..<4 {
      var unset = ~alive[word] | column.pointee.nulls[word]
      if word * 64 >= limit { break }
      while unset != 0 {
        values[word * 64 + unset.trailingZeroBitCount] = zero
        unset &= unset - 1
      }
    }
  }

  private func decodeRanges(
    _ column: UnsafeMutablePointer<ClusterColumn>, _ limit: Int, _ reader: inout NodeReader
  ) throws {
    var external: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    if column.pointee.hasExternalCells {
      external = (try reader.fixed(), try reader.fixed(), try reader.fixed(), try reader.fixed())
    }
    let ranges = column.pointee.values.assumingMemoryBound(to: HeapRange.self)
    var total = 0
    try withUnsafeTemporaryAllocation(of: Int64.self, capacity: 256) { buffer in
      guard let lengths = buffer.baseAddress else { return }
      try IntegerRunCoding.decode(&reader, count: limit, into: lengths)
      for slot in 0..<limit {
        ranges[slot] = HeapRange(
          start: UInt32(truncatingIfNeeded: total), length: UInt32(truncatingIfNeeded: lengths[slot]))
        total += Int(lengths[slot])
      }
    }
    try withUnsafeBytes(of: &external) { bits in
      for slot in 0..<limit where bits[slot >> 3] >> UInt8(slot & 7) & 1 != 0 {
        guard ranges[slot].length == 16 else { throw reader.damage("a reference has a wrong length") }
        ranges[slot].length |= 0x8000_0000
      }
    }
    let bytes = try reader.take(total)
    guard let start = bytes.baseAddress, total > 0 else { return }
    let heap = UnsafeMutablePointer<UInt8>.allocate(capacity: total)
    UnsafeMutableRawPointer(heap).copyMemory(from: start, byteCount: total)
    if column.pointee.type == .string {
      let heads = (column.pointee.values + 2048).assumingMemoryBound(to: UInt32.self)
      for slot in 0..<limit {
        let length = min(Int(ranges[slot].length & 0x7FFF_FFFF), 4)
        var head: UInt32 = 0
        withUnsafeMutableBytes(of: &head) { target in
          target.copyBytes(from: UnsafeRawBufferPointer(start: heap + Int(ranges[slot].start), count: length))
        }
        heads[slot] = head
      }
    }
    column.pointee.heap = heap
    column.pointee.heapCount = UInt32(total)
    column.pointee.heapCapacity = UInt32(total)
    column.pointee.ownsHeap = true
  }
}

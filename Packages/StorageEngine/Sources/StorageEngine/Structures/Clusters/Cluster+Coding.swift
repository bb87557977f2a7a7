// The content of a cluster node:
//
//     index                     varint
//     limit - 1                 1 byte      slots 0 ..< limit are stored; the rest are dead
//     all alive?                1 byte      0: a bitmap of 32 bytes follows, 1: all stored slots live
//     columns                   varint, then for each, ascending:
//       number                  varint
//       type                    1 byte
//       flags                   1 byte      1: has nulls (bitmap of 32 bytes follows)   2: all cells zero, nothing follows
//                                           4: has cells in nodes of their own
//       cells
//
// Cells are an ``IntegerRunCoding`` for int and link columns; two for timestamps (seconds, nanoseconds); raw for float,
// double, objectId, uuid, decimal128; a bitmap of 32 bytes for bool; and for variable-length columns an
// ``IntegerRunCoding`` of lengths and then the bytes in slot order, with a bitmap of the external ones if the flag says so.
extension Cluster: DecodableNode {
  static var kind: NodeKind { .cluster }
  static var patchKind: NodeKind? { .clusterPatch }

  /// Slots below this are stored.
  private var limit: Int {
    for word in stride(from: 3, through: 0, by: -1) where alive[word] != 0 {
      return word * 64 + 64 - alive[word].leadingZeroBitCount
    }
    return 0
  }

  /// - Precondition: a row lives here.
  func encoded() -> NodeWriter {
    var writer = NodeWriter(.cluster, capacity: 8192)
    let limit = self.limit
    precondition(limit > 0, "a cluster without rows is not stored")
    writer.count(index)
    writer.byte(UInt8(limit - 1))
    if rowCount == limit {
      writer.byte(1)
    } else {
      writer.byte(0)
      writer.raw(UnsafeRawBufferPointer(start: alive, count: 32))
    }
    writer.count((0..<columnCount).count { columns[$0].isPresent })
    for number in 0..<columnCount where columns[number].isPresent {
      writer.count(number)
      encode(columns[number], limit: limit, into: &writer)
    }
    return writer
  }

  private func encode(_ column: ClusterColumn, limit: Int, into writer: inout NodeWriter) {
    let type = column.type
    writer.byte(column.typeCode)
    let nulls = UnsafeBufferPointer(start: column.nulls, count: 4)
    let hasNulls = nulls.contains { $0 != 0 }
    let isZero = isAllZero(column)
    writer.byte((hasNulls ? 1 : 0) | (isZero ? 2 : 0) | (column.hasExternalCells ? 4 : 0))
    if hasNulls { writer.raw(UnsafeRawBufferPointer(nulls)) }
    if isZero { return }
    let values = column.values
    switch type {
    case .int, .link: encode(integers: values.assumingMemoryBound(to: Int64.self), column, limit, &writer)
    case .timestamp:
      encode(integers: values.assumingMemoryBound(to: Int64.self), column, limit, &writer)
      let nanoseconds = (values + 2048).assumingMemoryBound(to: Int32.self)
      IntegerRunCoding.encode((0..<limit).map { Int64(nanoseconds[$0]) }, into: &writer)
    case .double: writer.raw(UnsafeRawBufferPointer(start: values, count: limit * 8))
    case .float: writer.raw(UnsafeRawBufferPointer(start: values, count: limit * 4))
    case .objectId: writer.raw(UnsafeRawBufferPointer(start: values, count: limit * 12))
    case .uuid, .decimal128: writer.raw(UnsafeRawBufferPointer(start: values, count: limit * 16))
    case .bool: writer.raw(UnsafeRawBufferPointer(start: values, count: 32))
    case .string, .data, .mixed, .list, .map: encode(ranges: column, limit, &writer)
    }
  }

  /// Dead and null slots are coded as some live value, so that they do not widen the run; they are zero again after
  /// decoding.
  private func encode(
    integers values: UnsafeMutablePointer<Int64>, _ column: ClusterColumn, _ limit: Int, _ writer: inout NodeWriter
  ) {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: 256) { filled in
      guard let start = filled.baseAddress else { return }
      var isPlain = true
      var last: Int64?
      for word in 0..<4 where alive[word] & ~column.nulls[word] != .max { isPlain = isPlain && word * 64 >= limit }
      if isPlain { return IntegerRunCoding.encode(values, count: limit, into: &writer) }
      for slot in 0..<limit where isSet(slot, column) {
        last = values[slot]
        break
      }
      var previous = last ?? 0
      for slot in 0..<limit {
        if isSet(slot, column) { previous = values[slot] }
        start[slot] = previous
      }
      IntegerRunCoding.encode(start, count: limit, into: &writer)
    }
  }

  private func isSet(_ slot: Int, _ column: ClusterColumn) -> Bool {
    (alive[slot >> 6] & ~column.nulls[slot >> 6]) >> UInt64(slot & 63) & 1 != 0
  }

  private func encode(ranges column: ClusterColumn, _ limit: Int, _ writer: inout NodeWriter) {
    let ranges = column.values.assumingMemoryBound(to: HeapRange.self)
    if column.hasExternalCells {
      for word in 0..<4 {
        var bits: UInt64 = 0
        for bit in 0..<64 where ranges[word * 64 + bit].isExternal { bits |= 1 << UInt64(bit) }
        writer.fixed(bits)
      }
    }
    var total = 0
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: 256) { lengths in
      guard let start = lengths.baseAddress else { return }
      for slot in 0..<limit {
        start[slot] = Int64(ranges[slot].length & 0x7FFF_FFFF)
        total += Int(start[slot])
      }
      IntegerRunCoding.encode(start, count: limit, into: &writer)
    }
    guard let heap = column.heap else { return }
    writer.reserve(total) { target in
      var at = target
      for slot in 0..<limit {
        let length = Int(ranges[slot].length & 0x7FFF_FFFF)
        if length > 0 { at.copyMemory(from: heap + Int(ranges[slot].start), byteCount: length) }
        at += length
      }
    }
  }

  private func isAllZero(_ column: ClusterColumn) -> Bool {
    let words = column.values.assumingMemoryBound(to: UInt64.self)
    let zero: UInt64 = column.type == .link ? .max : 0
    if column.type.isVariable {
      let ranges = column.values.assumingMemoryBound(to: HeapRange.self)
      for slot in 0..<256 where ranges[slot].length != 0 { return false }
      return true
    }
    for word in 0..<column.type.clusterWidth / 8 where words[word] != zero { return false }
    return true
  }
}

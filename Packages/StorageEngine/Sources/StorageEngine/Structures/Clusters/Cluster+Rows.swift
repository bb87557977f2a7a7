// Some rows of a cluster, coded as a cluster of their own in which they occupy the first slots.
extension Cluster {
  /// Writes the cells of some rows in the patched columns.
  ///
  /// - Parameter slots: of live rows, ascending; at least one.
  func encode(rows slots: UnsafeBufferPointer<Int>, into writer: inout NodeWriter) {
    func isPatched(_ number: Int) -> Bool {
      columns[number].isPresent && patchedColumns & Self.bit(of: number) != 0
    }
    writer.byte(NodeKind.cluster.rawValue)
    writer.count(index)
    writer.byte(UInt8(slots.count - 1))
    writer.byte(1)
    writer.count((0..<columnCount).count(where: isPatched))
    for number in 0..<columnCount where isPatched(number) {
      writer.count(number)
      encode(columns[number], slots, into: &writer)
    }
  }

  private func encode(_ column: ClusterColumn, _ slots: UnsafeBufferPointer<Int>, into writer: inout NodeWriter) {
    var nulls: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let nullCount = withUnsafeMutableBytes(of: &nulls) { Self.gather(column.nulls, slots, into: $0) }
    let isZero = slots.allSatisfy { isCellZero($0, column) }
    let isExternal = column.hasExternalCells && slots.contains { isCellExternal($0, column) }
    writer.byte(column.typeCode)
    writer.byte((nullCount > 0 ? 1 : 0) | (isZero ? 2 : 0) | (isExternal ? 4 : 0))
    if nullCount > 0 { withUnsafeBytes(of: &nulls) { writer.raw($0) } }
    if isZero { return }
    let values = column.values
    switch column.type {
    case .int, .link: encode(integers: column, slots, &writer)
    case .timestamp:
      encode(integers: column, slots, &writer)
      let nanoseconds = (values + 2048).assumingMemoryBound(to: Int32.self)
      encode(slots, into: &writer) { Int64(nanoseconds[$0]) }
    case .bool:
      var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      withUnsafeMutableBytes(of: &bits) {
        _ = Self.gather(values.assumingMemoryBound(to: UInt64.self), slots, into: $0)
        writer.raw(UnsafeRawBufferPointer($0))
      }
    case .string, .data, .mixed, .list, .map: encode(ranges: column, slots, isExternal: isExternal, &writer)
    case .double, .float, .objectId, .uuid, .decimal128:
      let width = column.type.clusterWidth / 256
      writer.reserve(slots.count * width) { target in
        for (at, slot) in slots.enumerated() {
          (target + at * width).copyMemory(from: values + slot * width, byteCount: width)
        }
      }
    }
  }

  /// Packs the bits of the slots; returns how many are set.
  private static func gather(
    _ words: UnsafePointer<UInt64>, _ slots: UnsafeBufferPointer<Int>, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard words[0] | words[1] | words[2] | words[3] != 0 else { return 0 }
    var count = 0
    for (at, slot) in slots.enumerated() where words[slot >> 6] >> UInt64(slot & 63) & 1 != 0 {
      target[at >> 3] |= 1 << UInt8(at & 7)
      count += 1
    }
    return count
  }

  private func isCellZero(_ slot: Int, _ column: ClusterColumn) -> Bool {
    let values = column.values
    switch column.type {
    case .link: return values.assumingMemoryBound(to: Int64.self)[slot] == -1
    case .bool: return values.assumingMemoryBound(to: UInt64.self)[slot >> 6] >> UInt64(slot & 63) & 1 == 0
    case .string, .data, .mixed, .list, .map:
      return values.assumingMemoryBound(to: HeapRange.self)[slot].length == 0
    case .timestamp:
      return values.assumingMemoryBound(to: Int64.self)[slot] == 0
        && (values + 2048).assumingMemoryBound(to: Int32.self)[slot] == 0
    case .int, .double, .float, .objectId, .uuid, .decimal128:
      let width = column.type.clusterWidth / 256
      return UnsafeRawBufferPointer(start: values + slot * width, count: width).allSatisfy { $0 == 0 }
    }
  }

  private func isCellExternal(_ slot: Int, _ column: ClusterColumn) -> Bool {
    column.type.isVariable && column.values.assumingMemoryBound(to: HeapRange.self)[slot].isExternal
  }

  private func encode(
    _ slots: UnsafeBufferPointer<Int>, into writer: inout NodeWriter, _ value: (_ slot: Int) -> Int64
  ) {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: slots.count) { run in
      guard let start = run.baseAddress else { return }
      for (at, slot) in slots.enumerated() { start[at] = value(slot) }
      IntegerRunCoding.encode(start, count: slots.count, into: &writer)
    }
  }

  /// Null cells are coded as some non-null value, so that they do not widen the run.
  private func encode(integers column: ClusterColumn, _ slots: UnsafeBufferPointer<Int>, _ writer: inout NodeWriter) {
    let values = column.values.assumingMemoryBound(to: Int64.self)
    func isNull(_ slot: Int) -> Bool { column.nulls[slot >> 6] >> UInt64(slot & 63) & 1 != 0 }
    var previous = slots.first { !isNull($0) }.map { values[$0] } ?? 0
    encode(slots, into: &writer) { slot in
      if !isNull(slot) { previous = values[slot] }
      return previous
    }
  }

  private func encode(
    ranges column: ClusterColumn, _ slots: UnsafeBufferPointer<Int>, isExternal: Bool, _ writer: inout NodeWriter
  ) {
    let ranges = column.values.assumingMemoryBound(to: HeapRange.self)
    if isExternal {
      var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      withUnsafeMutableBytes(of: &bits) { bits in
        for (at, slot) in slots.enumerated() where ranges[slot].isExternal { bits[at >> 3] |= 1 << UInt8(at & 7) }
        writer.raw(UnsafeRawBufferPointer(bits))
      }
    }
    encode(slots, into: &writer) { Int64(ranges[$0].length & 0x7FFF_FFFF) }
    guard let heap = column.heap else { return }
    writer.reserve(slots.reduce(0) { $0 + Int(ranges[$1].length & 0x7FFF_FFFF) }) { target in
      var at = target
      for slot in slots {
        let length = Int(ranges[slot].length & 0x7FFF_FFFF)
        at.copyMemory(from: heap + Int(ranges[slot].start), byteCount: length)
        at += length
      }
    }
  }
}

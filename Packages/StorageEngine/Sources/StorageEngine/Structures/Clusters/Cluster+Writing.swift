import DataModel

// Cell writes, for clusters that belong to a write transaction. Functions that run once per value are inlined everywhere.
// Serves store.property-write and store.insert-1m.
extension Cluster {
  /// Bytes above which a cell lies in a node of its own, so that a change of a neighbour does not rewrite it.
  static let inlineLimit = 1024

  /// Gives a new row its cells: null, or zero and empty.
  @inline(__always) func insertRow(_ slot: Int, shapes: [ColumnShape]) {
    let bit: UInt64 = 1 << UInt64(slot & 63)
    alive[slot >> 6] |= bit
    patched[slot >> 6] |= bit
    patchedColumns = .max
    firstInserted = min(firstInserted, slot)
    for shape in shapes {
      if columns[shape.id].hasStatistics {
        columns[shape.id].hasStatistics = false
        columns[shape.id].knowsEarlierRows = true
      }
      if shape.isNullable || shape.type == .link {
        columns[shape.id].nulls[slot >> 6] |= bit
      } else if shape.type == .decimal128 {
        setDecimalZero(shape.id, slot)
      }
    }
  }

  /// Sets the zero of exponent 0. Zero bits are the zero of the smallest exponent, which prints as `0E-6176`.
  func setDecimalZero(_ number: Int, _ slot: Int) {
    let halves = columns[number].values.assumingMemoryBound(to: UInt64.self)
    let zero = Decimal128()
    halves[slot * 2] = zero.low
    halves[slot * 2 + 1] = zero.high
  }

  /// Makes a slot dead and its cells zero.
  func clearRow(_ slot: Int) {
    alive[slot >> 6] &= ~(1 << UInt64(slot & 63))
    patched[slot >> 6] |= 1 << UInt64(slot & 63)
    for number in 0..<columnCount where columns[number].isPresent { clearCell(number, slot, isNull: false) }
  }

  @inline(__always) func markSet(_ number: Int, _ slot: Int) {
    let bit: UInt64 = 1 << UInt64(slot & 63)
    columns[number].nulls[slot >> 6] &= ~bit
    forgetStatistics(number, slot)
    patched[slot >> 6] |= bit
    patchedColumns |= Self.bit(of: number)
  }

  /// Forgets the statistics that a change of a cell may invalidate.
  @inline(__always) private func forgetStatistics(_ number: Int, _ slot: Int) {
    columns[number].hasStatistics = false
    if slot < firstInserted { columns[number].knowsEarlierRows = false }
  }

  /// Sets a cell of integers; keeps the statistics where neither the least nor the greatest value is overwritten.
  @inline(__always) func setInt(_ value: Int64, _ number: Int, _ slot: Int) {
    let column = columns + number
    let values = column.pointee.values.assumingMemoryBound(to: Int64.self)
    let (isKnown, old) = (column.pointee.hasStatistics, values[slot])
    let wasNull = column.pointee.nulls[slot >> 6] >> UInt64(slot & 63) & 1 != 0
    markSet(number, slot)
    values[slot] = value
    guard isKnown else { return }
    let least = Int64(bitPattern: column.pointee.minimumBits)
    let most = Int64(bitPattern: column.pointee.maximumBits)
    guard wasNull || old > least && old < most else { return }
    column.pointee.minimumBits = UInt64(bitPattern: min(least, value))
    column.pointee.maximumBits = UInt64(bitPattern: max(most, value))
    column.pointee.hasStatistics = true
  }

  /// The bit of a column in ``patchedColumns``; columns from 63 on share the last one.
  @inline(__always) static func bit(of number: Int) -> UInt64 { 1 << UInt64(min(number, 63)) }

  func clearCell(_ number: Int, _ slot: Int, isNull: Bool) {
    let bit: UInt64 = 1 << UInt64(slot & 63)
    let column = columns + number
    forgetStatistics(number, slot)
    if isNull { column.pointee.nulls[slot >> 6] |= bit } else { column.pointee.nulls[slot >> 6] &= ~bit }
    let values = column.pointee.values
    switch column.pointee.type {
    case .int, .double: values.assumingMemoryBound(to: UInt64.self)[slot] = 0
    case .link: values.assumingMemoryBound(to: Int64.self)[slot] = -1
    case .float: values.assumingMemoryBound(to: UInt32.self)[slot] = 0
    case .bool: values.assumingMemoryBound(to: UInt64.self)[slot >> 6] &= ~bit
    case .timestamp:
      values.assumingMemoryBound(to: Int64.self)[slot] = 0
      (values + 2048).assumingMemoryBound(to: Int32.self)[slot] = 0
    case .objectId: (values + slot * 12).initializeMemory(as: UInt8.self, repeating: 0, count: 12)
    case .uuid, .decimal128: (values + slot * 16).initializeMemory(as: UInt8.self, repeating: 0, count: 16)
    case .string, .data, .mixed, .list, .map:
      values.assumingMemoryBound(to: HeapRange.self)[slot] = HeapRange(start: 0, length: 0)
      setHead(column, slot, UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  /// Stores the first bytes of a string beside its range, so that a scan for a prefix reads four bytes per row.
  private func setHead(_ column: UnsafeMutablePointer<ClusterColumn>, _ slot: Int, _ bytes: UnsafeRawBufferPointer) {
    guard column.pointee.type == .string else { return }
    var head: UInt32 = 0
    if bytes.count >= 4 {
      head = bytes.loadUnaligned(as: UInt32.self)
    } else {
      withUnsafeMutableBytes(of: &head) { $0.copyBytes(from: bytes) }
    }
    (column.pointee.values + 2048).assumingMemoryBound(to: UInt32.self)[slot] = head
  }

  /// Stores the bytes of a variable-length cell in the heap.
  func setBytes(_ bytes: UnsafeRawBufferPointer, _ number: Int, _ slot: Int, isExternal: Bool = false) {
    markSet(number, slot)
    let column = columns + number
    let ranges = column.pointee.values.assumingMemoryBound(to: HeapRange.self)
    let flag: UInt32 = isExternal ? 0x8000_0000 : 0
    if isExternal { column.pointee.hasExternalCells = true }
    setHead(column, slot, bytes)
    guard let source = bytes.baseAddress, bytes.count > 0 else {
      ranges[slot] = HeapRange(start: 0, length: 0)
      return
    }
    let old = ranges[slot]
    if let heap = column.pointee.heap, Int(old.length & 0x7FFF_FFFF) >= bytes.count {
      UnsafeMutableRawPointer(heap + Int(old.start)).copyMemory(from: source, byteCount: bytes.count)
      ranges[slot] = HeapRange(start: old.start, length: UInt32(bytes.count) | flag)
      return
    }
    ranges[slot] = HeapRange(start: 0, length: 0)
    if Int(column.pointee.heapCount) + bytes.count > Int(column.pointee.heapCapacity) {
      growHeap(column, by: bytes.count)
    }
    guard let heap = column.pointee.heap else { return }
    let start = column.pointee.heapCount
    UnsafeMutableRawPointer(heap + Int(start)).copyMemory(from: source, byteCount: bytes.count)
    ranges[slot] = HeapRange(start: start, length: UInt32(bytes.count) | flag)
    column.pointee.heapCount = start + UInt32(bytes.count)
  }

  /// Moves the live bytes to a new heap with room for as much again.
  private func growHeap(_ column: UnsafeMutablePointer<ClusterColumn>, by count: Int) {
    let ranges = column.pointee.values.assumingMemoryBound(to: HeapRange.self)
    var live = 0
    for slot in 0..<256 { live += Int(ranges[slot].length & 0x7FFF_FFFF) }
    let capacity = max((live + count) * 2, 1024)
    let heap = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    var at = 0
    if let old = column.pointee.heap {
      for slot in 0..<256 {
        let length = Int(ranges[slot].length & 0x7FFF_FFFF)
        if length == 0 { continue }
        UnsafeMutableRawPointer(heap + at).copyMemory(from: old + Int(ranges[slot].start), byteCount: length)
        ranges[slot].start = UInt32(at)
        at += length
      }
      if column.pointee.ownsHeap { old.deallocate() }
    }
    column.pointee.heap = heap
    column.pointee.heapCount = UInt32(at)
    column.pointee.heapCapacity = UInt32(capacity)
    column.pointee.ownsHeap = true
  }

  /// Frees the spare room of heaps, before the cluster is cached.
  func trimHeaps() {
    for number in 0..<columnCount {
      let column = columns + number
      let count = Int(column.pointee.heapCount)
      guard column.pointee.ownsHeap, let heap = column.pointee.heap,
        Int(column.pointee.heapCapacity) > count * 5 / 4 + 64
      else { continue }
      let trimmed = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
      UnsafeMutableRawPointer(trimmed).copyMemory(from: heap, byteCount: count)
      heap.deallocate()
      column.pointee.heap = trimmed
      column.pointee.heapCapacity = UInt32(max(count, 1))
    }
  }

  /// The node of an external cell; nil for a cell that lies in the cluster.
  func externalNode(_ number: Int, slot: Int) -> Int64? {
    guard number < columnCount, let heap = columns[number].heap, columns[number].hasExternalCells else { return nil }
    let range = columns[number].values.assumingMemoryBound(to: HeapRange.self)[slot]
    guard range.isExternal else { return nil }
    return Int64(littleEndian: UnsafeRawPointer(heap + Int(range.start)).loadUnaligned(as: Int64.self))
  }

  /// The content of an external cell.
  func externalContent(_ number: Int, slot: Int) throws -> [UInt8] {
    guard let node = externalNode(number, slot: slot) else { return [] }
    return try source.bytes(node)
  }
}

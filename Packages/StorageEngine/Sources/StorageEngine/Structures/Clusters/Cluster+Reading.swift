public import DataModel
public import FoundationEssentials

// Cell reads. A slot is taken modulo 256, and a column that the cluster does not have reads as zero, empty and null, so
// no argument reads outside the cluster. Reading a cell with the accessor of another type is a programmer error that
// returns a meaningless value.
extension Cluster {
  @inlinable func has(_ id: ColumnID) -> Bool { UInt(bitPattern: id.rawValue) < UInt(bitPattern: columnCount) }

  /// Whether the cell is null; true for a column added after this cluster was written.
  @inlinable public func isNull(_ id: ColumnID, slot: Int) -> Bool {
    guard has(id) else { return true }
    return columns[id.rawValue].nulls[(slot >> 6) & 3] >> UInt64(slot & 63) & 1 != 0
  }

  /// Whether the cell is null, of links too, which are null as ``RowKey/none``.
  func isNullCell(_ id: ColumnID, slot: Int) -> Bool {
    column(id)?.type == .link ? link(id, slot: slot) == .none : isNull(id, slot: slot)
  }

  /// The cell of an int column; 0 when null.
  @inlinable public func int(_ id: ColumnID, slot: Int) -> Int64 {
    guard has(id) else { return 0 }
    return columns[id.rawValue].values.assumingMemoryBound(to: Int64.self)[slot & 255]
  }

  /// The cell of a link column; ``RowKey/none`` when null.
  @inlinable public func link(_ id: ColumnID, slot: Int) -> RowKey {
    guard has(id), columns[id.rawValue].isPresent else { return .none }
    return RowKey(columns[id.rawValue].values.assumingMemoryBound(to: Int64.self)[slot & 255])
  }

  /// The cell of a double column; 0 when null.
  @inlinable public func double(_ id: ColumnID, slot: Int) -> Double {
    guard has(id) else { return 0 }
    return columns[id.rawValue].values.assumingMemoryBound(to: Double.self)[slot & 255]
  }

  /// The cell of a float column; 0 when null.
  @inlinable public func float(_ id: ColumnID, slot: Int) -> Float {
    guard has(id) else { return 0 }
    return columns[id.rawValue].values.assumingMemoryBound(to: Float.self)[slot & 255]
  }

  /// The cell of a bool column; false when null.
  @inlinable public func bool(_ id: ColumnID, slot: Int) -> Bool {
    guard has(id) else { return false }
    let words = columns[id.rawValue].values.assumingMemoryBound(to: UInt64.self)
    return words[(slot >> 6) & 3] >> UInt64(slot & 63) & 1 != 0
  }

  /// The cell of a timestamp column; the epoch when null.
  @inlinable public func timestamp(_ id: ColumnID, slot: Int) -> Timestamp {
    guard has(id) else { return Timestamp(seconds: 0) }
    let seconds = columns[id.rawValue].values.assumingMemoryBound(to: Int64.self)
    let nanoseconds = (columns[id.rawValue].values + 2048).assumingMemoryBound(to: Int32.self)
    return Timestamp(validating: seconds[slot & 255], nanoseconds: nanoseconds[slot & 255]) ?? Timestamp(seconds: 0)
  }

  /// The cell of a decimal128 column; some zero when null.
  @inlinable public func decimal128(_ id: ColumnID, slot: Int) -> Decimal128 {
    guard has(id) else { return Decimal128() }
    let halves = columns[id.rawValue].values.assumingMemoryBound(to: UInt64.self)
    return Decimal128(high: halves[(slot & 255) * 2 + 1], low: halves[(slot & 255) * 2])
  }

  /// The cell of an objectId column; twelve zero bytes when null.
  public func objectId(_ id: ColumnID, slot: Int) -> ObjectId {
    guard has(id) else { return .zero }
    let bytes = UnsafeRawBufferPointer(start: columns[id.rawValue].values + (slot & 255) * 12, count: 12)
    return ObjectId(bytes: bytes) ?? .zero
  }

  /// The cell of a uuid column; sixteen zero bytes when null.
  @inlinable public func uuid(_ id: ColumnID, slot: Int) -> UUID {
    guard has(id) else { return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    return UUID(uuid: (columns[id.rawValue].values + (slot & 255) * 16).loadUnaligned(as: uuid_t.self))
  }

  /// The cell of a string column; empty when null.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` or `ioFailed` when a long string lies in a node of its own that
  ///   cannot be read.
  @inlinable public func string(_ id: ColumnID, slot: Int) throws -> String {
    try withBytes(id, slot: slot) { String(decoding: $0, as: UTF8.self) }
  }

  /// The cell of a data column; empty when null.
  ///
  /// - Throws: ``StorageError`` as ``string(_:slot:)``.
  @inlinable public func data(_ id: ColumnID, slot: Int) throws -> [UInt8] {
    try withBytes(id, slot: slot) { Array($0) }
  }

  /// The cell of a mixed column.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the value is damaged, and as ``string(_:slot:)``.
  public func mixed(_ id: ColumnID, slot: Int) throws -> StoredValue {
    guard !isNull(id, slot: slot) else { return .null }
    return try withBytes(id, slot: slot) { try StoredValueCoding.decode($0) }
  }

  /// Calls `body` with the bytes of a string, data, mixed, list or map cell, in place where they lie in the cluster.
  ///
  /// - Throws: the error of `body`, and ``StorageError`` as ``string(_:slot:)``.
  @inlinable public func withBytes<R>(
    _ id: ColumnID, slot: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    guard has(id), let heap = columns[id.rawValue].heap else {
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let range = columns[id.rawValue].values.assumingMemoryBound(to: HeapRange.self)[slot & 255]
    guard !range.isExternal else { return try withExternalBytes(id, slot: slot, body) }
    return try body(UnsafeRawBufferPointer(start: heap + Int(range.start), count: Int(range.length)))
  }

  @usableFromInline func withExternalBytes<R>(
    _ id: ColumnID, slot: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R {
    let content = try externalContent(id.rawValue, slot: slot & 255)
    return try content.withUnsafeBytes(body)
  }

  /// Calls `body` with every slot where a row lives, ascending.
  @inlinable public func forEachLiveSlot(_ body: (Int) throws -> Void) rethrows {
    for word in 0..<4 {
      var bits = alive[word]
      while bits != 0 {
        try body(word << 6 | bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
  }
}

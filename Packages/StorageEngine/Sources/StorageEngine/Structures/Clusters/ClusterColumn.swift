/// One column's cells in a ``Cluster``: 256 of them, contiguous.
///
/// The layout of ``values``, by type of the column:
///
///     int, link          256 × Int64               link: -1 is null
///     double             256 × Double
///     float              256 × Float
///     bool               4 × UInt64                one bit per slot
///     timestamp          256 × Int64 seconds, then 256 × Int32 nanoseconds
///     objectId           256 × 12 bytes
///     uuid, decimal128   256 × 16 bytes            decimal128: low, then high half
///     string, data,      256 × ``HeapRange``       into ``heap``
///     mixed, list, map
///     string               behind its ranges, 256 × the first 4 bytes of each cell, zeros after its end
///
/// Dead and null slots hold zero (links -1). The pointers are valid while the cluster is.
@frozen public struct ClusterColumn {
  /// Never nil; see the picture above.
  public internal(set) var values: UnsafeMutableRawPointer
  /// 4 × UInt64, one bit per slot, set where the cell is null.
  public internal(set) var nulls: UnsafeMutablePointer<UInt64>
  /// Bytes of variable-length cells; nil when there are none.
  public internal(set) var heap: UnsafeMutablePointer<UInt8>?
  @usableFromInline var heapCount: UInt32
  @usableFromInline var heapCapacity: UInt32
  /// The least live, non-null value as bits of Int64 or Double; see ``hasStatistics``.
  public internal(set) var minimumBits: UInt64
  /// The greatest live, non-null value as bits of Int64 or Double.
  public internal(set) var maximumBits: UInt64
  /// Whether minimum and maximum are known: for int, link, double, float and timestamp (seconds) columns with a live
  /// value, of committed clusters, and of others until the column is written to. Floats are widened to Double; a NaN
  /// makes them unknown.
  public internal(set) var hasStatistics: Bool
  /// Whether minimum and maximum, while ``hasStatistics`` is false, are those of the rows before
  /// ``Cluster/firstInserted``.
  @usableFromInline var knowsEarlierRows = false
  /// Whether the cells exist; false for a column added after the cluster was written, whose cells read as zero,
  /// empty and null.
  public internal(set) var isPresent: Bool
  /// Whether a cell lies in a node of its own, so that reading it may touch the disk.
  public internal(set) var hasExternalCells: Bool
  @usableFromInline var ownsHeap: Bool
  @usableFromInline let typeCode: UInt8

  /// The type of the cells.
  public var type: ColumnType { ColumnType(rawValue: typeCode) ?? .data }
}

/// The position of a variable-length cell in the heap of its column.
@frozen public struct HeapRange {
  /// The offset of the first byte.
  public var start: UInt32
  /// Bytes; the top bit says that the heap holds a reference to a node of its own.
  public var length: UInt32

  /// A range of a heap.
  @inlinable public init(start: UInt32, length: UInt32) {
    self.start = start
    self.length = length
  }

  /// Whether the heap holds a reference to a node instead of the content.
  @inlinable public var isExternal: Bool { length & 0x8000_0000 != 0 }
}

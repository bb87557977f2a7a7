import DataModel

/// Reads the values of one sort or distinct key.
struct SortKeyReader {
  let path: ResolvedPath
  let isAscending: Bool
  let isExact: Bool
  let type: ValueType
  private let paths: PathReader
  /// The position of the property when it belongs to the object itself.
  let ownProperty: Int?

  init(_ path: ResolvedPath, isAscending: Bool, _ execution: Execution) {
    self.path = path
    self.isAscending = isAscending
    type = path.type
    isExact = SortCell.isExact(path.type) && path.steps.isEmpty
    paths = PathReader(execution: execution)
    if path.hops.isEmpty, path.steps.isEmpty, case .scalar(let property, _) = path.leaf {
      ownProperty = property
    } else {
      ownProperty = nil
    }
  }

  /// The value for an object; nil when a link on the way is null.
  func value(_ row: QueryRow) throws -> Value? {
    if !path.hops.isEmpty {
      let reached = try paths.rows(path, row)
      if reached.isEmpty { return nil }
    }
    if case .single(let value) = try paths.values(path, row) { return value }
    return .null
  }

  /// The cell of a row of a batch, straight from its column where possible. Row `query.sort-limit`.
  @inline(__always) func cell(_ column: ColumnView, _ batch: Batch, _ slot: Int) throws -> SortCell {
    if let nulls = column.nulls,
      nulls.loadUnaligned(fromByteOffset: (slot >> 6) << 3, as: UInt64.self) >> UInt64(slot & 63) & 1 == 1
    {
      return .null
    }
    switch column.layout {
    case .allNull: return .null
    case .int64(let values): return SortCell(ColumnKernels.integer(values, slot))
    case .double(let values): return SortCell(values.loadUnaligned(fromByteOffset: slot &* 8, as: Double.self))
    case .float(let values): return SortCell(Double(values.loadUnaligned(fromByteOffset: slot &* 4, as: Float.self)))
    case .bits(let bits):
      let word = bits.loadUnaligned(fromByteOffset: (slot >> 6) << 3, as: UInt64.self)
      return SortCell(rank: 1, bits: word >> UInt64(slot & 63) & 1)
    case .timestamps(let seconds, _): return SortCell(ColumnKernels.integer(seconds, slot))
    case .ranges(let ranges, let bytes) where type == .string:
      return SortCell(ColumnKernels.range(ranges, bytes, slot))
    case .generic, .ranges, .fixed, .links:
      guard let value = try value(batch.row(slot)) else { return .missing }
      return SortCell(value, type)
    }
  }
}

/// One match with the values that it is ordered by.
struct SortRow {
  var rank: SortRank
  var row: QueryRow
  /// The position before sorting: equal rows keep their order.
  var position: Int

  init(_ keys: [SortKeyReader], _ row: QueryRow, position: Int) throws {
    self.row = row
    self.position = position
    rank = try SortRank(keys, row)
  }

  /// Whether this comes before the other.
  func precedes(_ other: SortRow, _ keys: [SortKeyReader]) -> Bool {
    for at in keys.indices {
      let order = rank.compare(other.rank, at: at, isExact: keys[at].isExact)
      if order != 0 { return (order < 0) == keys[at].isAscending }
    }
    return position < other.position
  }
}

import DataModel
import QueryLanguage
import StorageEngine

/// An ordered index of the file as queries ask it.
struct ReadViewQueryIndex: QueryIndex {
  let reader: IndexReader
  let isInteger: Bool
  let isNullable: Bool
  /// The entry of a value; nil for values that the index cannot hold.
  let entry: (Value) -> IndexKey?

  func rows(matching probe: IndexProbe, limit: Int) throws -> [QueryRow]? {
    guard limit >= 0 else { return nil }
    switch probe {
    case .equal(let value):
      switch entry(value) {
      case nil: return value == .null && isNullable ? nil : []
      case .int(let key)?:
        if limit < .max, try reader.count(key) > limit { return nil }
        return try reader.rows(key).map(\.rawValue)
      case .bytes(let key)?:
        if limit < .max, try reader.count(key) > limit { return nil }
        return try reader.rows(key).map(\.rawValue)
      }
    case .prefix(let prefix):
      guard !isInteger else { return nil }
      return try collect(limit) { body in
        try reader.forEach(prefix: isNullable ? [1] + prefix : prefix) { _, row in body(row) }
      }
    case .range(let lower, let upper):
      return isInteger ? try integers(lower, upper, limit) : try bytes(lower, upper, limit)
    }
  }

  func count(matching probe: IndexProbe) throws -> Int? {
    switch probe {
    case .equal(let value):
      switch entry(value) {
      case nil: return value == .null && isNullable ? nil : 0
      case .int(let key)?: return try reader.count(key)
      case .bytes(let key)?: return try reader.count(key)
      }
    case .range(let lower, let upper):
      guard isInteger, let bounds = integerBounds(lower, upper) else { return nil }
      return bounds.low <= bounds.high ? try reader.count(in: bounds.low...bounds.high) : 0
    case .prefix: return nil
    }
  }

  func forEach(
    from lower: IndexProbe.Bound?, through upper: IndexProbe.Bound?, isAscending: Bool,
    _ body: (QueryRow) throws -> Bool
  ) throws -> Bool {
    let direction: IndexReader.Direction = isAscending ? .ascending : .descending
    guard isInteger else { return try forEachByBytes(lower, upper, direction) { try body($0.rawValue) } }
    guard let (low, high) = integerBounds(lower, upper) else { return false }
    if low <= high { try reader.forEach(in: low...high, direction) { _, row in try body(row.rawValue) } }
    return true
  }

  /// The least and the greatest key between two bounds; nil when one is no integer.
  private func integerBounds(_ lower: IndexProbe.Bound?, _ upper: IndexProbe.Bound?) -> (low: Int64, high: Int64)? {
    func bound(_ bound: IndexProbe.Bound?, open: Int64, step: Int64) -> Int64? {
      guard let bound else { return open }
      guard case .int(let key)? = entry(bound.value) else { return nil }
      if bound.isInclusive { return key }
      let (moved, overflow) = key.addingReportingOverflow(step)
      return overflow ? nil : moved
    }
    guard let low = bound(lower, open: .min, step: 1), let high = bound(upper, open: .max, step: -1) else { return nil }
    return (low, high)
  }

  private func integers(_ lower: IndexProbe.Bound?, _ upper: IndexProbe.Bound?, _ limit: Int) throws -> [QueryRow]? {
    guard let (low, high) = integerBounds(lower, upper) else { return nil }
    guard low <= high else { return [] }
    if limit < .max, try reader.count(in: low...high) > limit { return nil }
    return try collect(limit) { body in try reader.forEach(in: low...high) { _, row in body(row) } }
  }

  private func bytes(_ lower: IndexProbe.Bound?, _ upper: IndexProbe.Bound?, _ limit: Int) throws -> [QueryRow]? {
    var isAnswered = false
    let rows = try collect(limit) { body in
      isAnswered = try forEachByBytes(lower, upper, .ascending) { body($0) }
    }
    return isAnswered ? rows : nil
  }

  private func forEachByBytes(
    _ lower: IndexProbe.Bound?, _ upper: IndexProbe.Bound?, _ direction: IndexReader.Direction,
    _ body: (RowKey) throws -> Bool
  ) throws -> Bool {
    func key(_ bound: IndexProbe.Bound?) -> [UInt8]? {
      if let bound, case .bytes(let key)? = entry(bound.value) { key } else { nil }
    }
    let low = key(lower)
    let high = key(upper)
    if lower != nil && low == nil || upper != nil && high == nil { return false }
    // In an index over a nullable property a first byte of 1 stands before every value.
    let first = low ?? (isNullable ? [1] : nil)
    try reader.forEach(from: first, through: high, direction) { key, row in
      if let lower, !lower.isInclusive, key == low { return true }
      if let upper, !upper.isInclusive, key == high { return true }
      return try body(row)
    }
    return true
  }

  /// Gathers rows until there are more than are wanted; then nil.
  private func collect(_ limit: Int, _ scan: ((RowKey) -> Bool) throws -> Void) throws -> [QueryRow]? {
    var rows: [QueryRow] = []
    try scan { row in
      rows.append(row.rawValue)
      return rows.count <= limit
    }
    return rows.count > limit ? nil : rows
  }
}

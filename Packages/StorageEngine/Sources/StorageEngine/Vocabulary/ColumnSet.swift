/// A set of columns of one table, as bits.
///
///     ColumnSet([ColumnID(0), ColumnID(70)]).columns       // [column 0, column 70]
public struct ColumnSet: Hashable, Sendable {
  var low: UInt64 = 0
  var high: [UInt64] = []

  /// The empty set.
  public init() {}

  /// The set of some columns.
  public init(_ columns: some Sequence<ColumnID>) {
    for column in columns { insert(column) }
  }

  /// Adds a column.
  public mutating func insert(_ column: ColumnID) {
    let number = column.rawValue
    if number < 64 {
      low |= 1 << UInt64(number)
    } else {
      while high.count <= number / 64 - 1 { high.append(0) }
      high[number / 64 - 1] |= 1 << UInt64(number % 64)
    }
  }

  /// Whether the set has a column.
  public func contains(_ column: ColumnID) -> Bool {
    let number = column.rawValue
    if number < 64 { return number >= 0 && low >> UInt64(number) & 1 != 0 }
    return number / 64 - 1 < high.count && high[number / 64 - 1] >> UInt64(number % 64) & 1 != 0
  }

  /// Whether the set has no column.
  public var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  /// The columns, ascending.
  public var columns: [ColumnID] {
    (0..<(64 * (high.count + 1))).map { ColumnID($0) }.filter(contains)
  }
}

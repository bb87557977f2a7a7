/// What happened to the rows of one table between two snapshots.
public struct TableChanges: Sendable {
  /// Rows that live now and did not, ascending.
  public internal(set) var insertions: [RowKey] = []
  /// Rows that lived and do not now, ascending.
  public internal(set) var deletions: [RowKey] = []
  /// Rows that live in both with different cells, ascending.
  public var modifications: [RowModification] = []

  public init() {}

  /// Whether nothing happened.
  public var isEmpty: Bool { insertions.isEmpty && deletions.isEmpty && modifications.isEmpty }
}

/// A row whose cells differ, and which.
public struct RowModification: Hashable, Sendable {
  public var row: RowKey
  /// A collection cell counts as one column.
  public var columns: ColumnSet

  public init(row: RowKey, columns: ColumnSet) {
    self.row = row
    self.columns = columns
  }
}

/// A set of columns of one table, as bits.
public struct ColumnSet: Hashable, Sendable {
  var low: UInt64 = 0
  var high: [UInt64] = []

  public init() {}

  public init(_ columns: some Sequence<ColumnID>) {
    for column in columns { insert(column) }
  }

  public mutating func insert(_ column: ColumnID) {
    let number = column.rawValue
    if number < 64 {
      low |= 1 << UInt64(number)
    } else {
      while high.count <= number / 64 - 1 { high.append(0) }
      high[number / 64 - 1] |= 1 << UInt64(number % 64)
    }
  }

  public func contains(_ column: ColumnID) -> Bool {
    let number = column.rawValue
    if number < 64 { return number >= 0 && low >> UInt64(number) & 1 != 0 }
    return number / 64 - 1 < high.count && high[number / 64 - 1] >> UInt64(number % 64) & 1 != 0
  }

  public var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  /// The columns, ascending.
  public var columns: [ColumnID] {
    (0..<(64 * (high.count + 1))).map { ColumnID($0) }.filter(contains)
  }
}

/// The difference between two snapshots in the rows of one table.
public struct TableChanges: Sendable {
  /// Rows that live now and did not, ascending.
  public internal(set) var insertions: [RowKey] = []
  /// Rows that lived and do not now, ascending.
  public internal(set) var deletions: [RowKey] = []
  /// Rows that live in both with different cells, ascending.
  public var modifications: [RowModification] = []

  /// No changes.
  public init() {}

  /// Whether no row differs.
  public var isEmpty: Bool { insertions.isEmpty && deletions.isEmpty && modifications.isEmpty }
}

/// A row whose cells differ between two snapshots.
public struct RowModification: Hashable, Sendable {
  /// The row, which lives in both.
  public var row: RowKey
  /// The columns whose cells differ; a collection cell counts as one.
  public var columns: ColumnSet

  /// A modification of a row in some columns.
  public init(row: RowKey, columns: ColumnSet) {
    self.row = row
    self.columns = columns
  }
}

/// Rows and columns.
public struct Size: Equatable, Hashable, Sendable {
  /// The number of rows.
  public var rows: Int
  /// The number of columns.
  public var columns: Int

  /// A size.
  public init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }
}

/// A position, counted from 0 at the top left.
public struct Point: Equatable, Hashable, Sendable {
  /// The topmost row.
  public var row: Int
  /// The leftmost column.
  public var column: Int

  /// A position.
  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// A rectangle of cells.
public struct Rect: Equatable, Hashable, Sendable {
  /// The topmost row.
  public var row: Int
  /// The leftmost column.
  public var column: Int
  /// The number of rows.
  public var rows: Int
  /// The number of columns.
  public var columns: Int

  /// A rectangle. Negative sizes count as 0.
  public init(row: Int = 0, column: Int = 0, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = max(0, rows)
    self.columns = max(0, columns)
  }

  /// The size.
  public var size: Size { Size(rows: rows, columns: columns) }
  /// Whether there is no cell in it.
  public var isEmpty: Bool { rows == 0 || columns == 0 }

  /// Whether a position lies inside.
  public func contains(_ point: Point) -> Bool {
    point.row >= row && point.row < row + rows && point.column >= column && point.column < column + columns
  }

  /// The rectangle made smaller at each side.
  public func inset(rows dy: Int = 0, columns dx: Int = 0) -> Rect {
    Rect(row: row + dy, column: column + dx, rows: rows - 2 * dy, columns: columns - 2 * dx)
  }

  /// A rectangle of at most this size in the middle of this one.
  public func centered(rows height: Int, columns width: Int) -> Rect {
    let height = min(height, rows)
    let width = min(width, columns)
    return Rect(
      row: row + (rows - height) / 2, column: column + (columns - width) / 2, rows: height, columns: width)
  }

  /// The part inside another rectangle.
  public func clipped(to other: Rect) -> Rect {
    let top = max(row, other.row)
    let left = max(column, other.column)
    return Rect(
      row: top, column: left, rows: min(row + rows, other.row + other.rows) - top,
      columns: min(column + columns, other.column + other.columns) - left)
  }
}

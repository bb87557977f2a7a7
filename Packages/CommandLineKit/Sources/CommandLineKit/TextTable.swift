import TextWidth

/// Rows in aligned columns.
///
///     CLASS   OBJECTS
///     Item         12
///     List          3
public struct TextTable: Sendable {
  /// One column.
  public struct Column: Sendable {
    /// The heading.
    public var title: String
    /// Whether cells are aligned to the right, as numbers are.
    public var alignsRight: Bool
    /// Whether the column may be cut when the table is wider than the terminal.
    public var shrinks: Bool

    /// A column.
    public init(_ title: String, alignsRight: Bool = false, shrinks: Bool = false) {
      self.title = title
      self.alignsRight = alignsRight
      self.shrinks = shrinks
    }
  }

  /// The columns, from left to right.
  public var columns: [Column]
  /// The cells. Missing cells are empty, surplus ones are dropped. Text is cleaned by `TextCleaning`.
  public var rows: [[String]]

  /// A table.
  public init(columns: [Column], rows: [[String]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// The table as text, one line per row and a heading, each line ending with a line break.
  ///
  /// - Parameter width: the columns of the terminal; nil where nothing is to be cut, as in a pipe.
  public func text(width: Int? = nil) -> String {
    let cells = rows.map { row in
      columns.indices.map { row.indices.contains($0) ? TextCleaning.line(row[$0]) : "" }
    }
    let titles = columns.map { TextCleaning.line($0.title.uppercased()) }
    var widths = columns.indices.map { column in
      ([titles] + cells).map { $0[column].displayWidth }.max() ?? 0
    }
    if let width { shrink(&widths, to: width) }
    return ([titles] + cells).map { line($0, widths) + "\n" }.joined()
  }

  private func shrink(_ widths: inout [Int], to width: Int) {
    var excess = widths.reduce(0, +) + 2 * (columns.count - 1) - width
    for column in columns.indices where columns[column].shrinks && excess > 0 {
      let cut = min(excess, max(0, widths[column] - 8))
      widths[column] -= cut
      excess -= cut
    }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var parts: [String] = []
    for column in columns.indices {
      let cell = cells[column].truncated(to: widths[column])
      let isLast = column == columns.count - 1
      let alignsRight = columns[column].alignsRight
      parts.append(isLast && !alignsRight ? cell : cell.padded(to: widths[column], alignRight: alignsRight))
    }
    return parts.joined(separator: "  ")
  }

}

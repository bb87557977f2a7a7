import TextWidth

/// A picture of the screen: rows of ``Cell``.
///
/// A picture is always drawable: no half of a wide character is ever without the other, whatever is written over
/// what. Positions outside the picture are ignored.
public struct CellBuffer: Equatable, Sendable {
  /// Rows and columns.
  public let size: Size
  private var cells: [Cell]

  /// A blank picture.
  public init(size: Size) {
    self.size = Size(rows: max(0, size.rows), columns: max(0, size.columns))
    cells = Array(repeating: .blank, count: self.size.rows * self.size.columns)
  }

  /// The cell at a position; a blank one outside the picture.
  public func cell(row: Int, column: Int) -> Cell {
    guard let index = index(row, column) else { return .blank }
    return cells[index]
  }

  private func index(_ row: Int, _ column: Int) -> Int? {
    guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return nil }
    return row * size.columns + column
  }

  /// Puts a character at a position. A wide one that does not fit at the right edge becomes a space.
  ///
  /// - Returns: the columns that the character takes: 0, 1 or 2. Of 0, nothing was drawn.
  @discardableResult
  public mutating func put(_ character: Character, row: Int, column: Int, style: Style = .plain) -> Int {
    let width = min(2, character.displayWidth)
    guard width > 0 else { return 0 }
    guard let index = index(row, column) else { return width }
    guard width == 1 || column + 1 < size.columns else {
      replace(index, column, with: Cell(" ", style: style))
      return width
    }
    replace(index, column, with: Cell(character, style: style, width: UInt8(width)))
    if width == 2 {
      replace(index + 1, column + 1, with: .rightHalf(style), keepsLeft: true)
    }
    return width
  }

  private mutating func replace(_ index: Int, _ column: Int, with cell: Cell, keepsLeft: Bool = false) {
    if cells[index].width == 0, column > 0, !keepsLeft {
      cells[index - 1] = Cell(" ", style: cells[index - 1].style)
    }
    if cells[index].width == 2, column + 1 < size.columns {
      cells[index + 1] = Cell(" ", style: cells[index + 1].style)
    }
    cells[index] = cell
  }

  /// The text of a row, without the spaces at its end.
  public func text(row: Int) -> String {
    var text = ""
    for column in 0..<size.columns {
      let cell = cell(row: row, column: column)
      if !cell.isRightHalf { text.append(cell.character) }
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The text of all rows.
  public var text: String { (0..<size.rows).map { text(row: $0) }.joined(separator: "\n") }

  /// The stretches of cells that differ from another picture of the same size, from top left; all rows when
  /// the sizes differ. Drawing them over `other` gives this picture.
  ///
  /// - Complexity: O(*rows* · *columns*).
  public func differences(from other: CellBuffer?) -> [CellRun] {
    let old = other?.size == size ? other : nil
    var runs: [CellRun] = []
    for row in 0..<size.rows {
      var run: CellRun?
      for column in 0..<size.columns {
        let index = row * size.columns + column
        let cell = cells[index]
        if let old, old.cells[index] == cell, !(cell.isRightHalf && run != nil) {
          if let finished = run { runs.append(finished) }
          run = nil
        } else {
          // A changed right half brings its left half along: the pair is drawn as one.
          if run == nil { run = CellRun(row: row, column: column, cells: []) }
          if cell.isRightHalf, run?.cells.isEmpty == true, column > 0 {
            run = CellRun(row: row, column: column - 1, cells: [cells[index - 1]])
          }
          run?.cells.append(cell)
        }
      }
      if let finished = run { runs.append(finished) }
    }
    return runs
  }

  /// Draws a stretch of cells.
  public mutating func apply(_ run: CellRun) {
    for (offset, cell) in run.cells.enumerated() {
      if let index = index(run.row, run.column + offset) { cells[index] = cell }
    }
  }
}

/// Neighbouring cells of one row.
public struct CellRun: Equatable, Sendable {
  /// The row, from 0 at the top.
  public var row: Int
  /// The column of the first cell.
  public var column: Int
  /// The cells, from left to right.
  public var cells: [Cell]
}

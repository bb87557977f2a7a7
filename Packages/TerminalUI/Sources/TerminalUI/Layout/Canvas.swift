import TextWidth

/// The surface of a view: a clipped part of the picture, with its own origin.
public struct Canvas: Sendable {
  /// The whole picture.
  public private(set) var buffer: CellBuffer
  /// The position of the terminal's cursor in the picture; nil hides it.
  public private(set) var cursor: Point?
  private var area: Rect

  /// A canvas over a blank picture.
  public init(size: Size) {
    buffer = CellBuffer(size: size)
    area = Rect(rows: size.rows, columns: size.columns)
  }

  /// The size of the part that can be drawn on.
  public var size: Size { area.size }
  /// The part that can be drawn on, with its origin at 0, 0.
  public var bounds: Rect { Rect(rows: area.rows, columns: area.columns) }

  /// Draws inside a rectangle of this canvas: positions count from its top left, nothing reaches beyond it.
  public mutating func within(_ rect: Rect, _ draw: (inout Canvas) -> Void) {
    let outer = area
    let moved = Rect(
      row: rect.row + outer.row, column: rect.column + outer.column, rows: rect.rows, columns: rect.columns)
    area = moved.clipped(to: outer)
    draw(&self)
    area = outer
  }

  /// Writes text on one line, cut at `width` columns or at the edge.
  ///
  /// Text is cleaned by `TextCleaning`: line feeds and tabs are drawn as spaces, what a terminal would obey or hide is
  /// drawn visibly.
  ///
  /// - Parameters:
  ///   - width: how many columns may be used; nil for all to the edge.
  ///   - ellipsis: whether text that is cut ends with `…`.
  /// - Returns: the columns used.
  @discardableResult
  public mutating func write(
    _ text: some StringProtocol, row: Int, column: Int = 0, style: Style = .plain, width: Int? = nil,
    ellipsis: Bool = false
  ) -> Int {
    guard row >= 0, row < area.rows else { return 0 }
    let end = min(area.columns, column + (width ?? area.columns))
    let start = column
    var column = column
    // Beyond so many scalars nothing can be seen, however many of them share a cell.
    let visible = String(String.UnicodeScalarView(text.unicodeScalars.prefix(16 * max(1, end - min(0, start)))))
    let cleaned = TextCleaning.line(visible)
    let shown = ellipsis ? cleaned.truncated(to: max(0, end - column)) : cleaned
    for drawn in shown {
      let width = drawn.displayWidth
      guard column + width <= end else { break }
      if column >= 0 { buffer.put(drawn, row: area.row + row, column: area.column + column, style: style) }
      column += width
    }
    return max(0, column - start)
  }

  /// Writes text so that it ends at a column.
  public mutating func write(_ text: some StringProtocol, row: Int, endingAt column: Int, style: Style = .plain) {
    write(text, row: row, column: column - TextCleaning.line(text).displayWidth, style: style)
  }

  /// Fills a rectangle with a character; nil fills the whole canvas.
  public mutating func fill(_ rect: Rect? = nil, with character: Character = " ", style: Style = .plain) {
    let rect = (rect ?? bounds).clipped(to: bounds)
    for row in rect.row..<rect.row + rect.rows {
      for column in rect.column..<rect.column + rect.columns {
        buffer.put(character, row: area.row + row, column: area.column + column, style: style)
      }
    }
  }

  /// Draws a frame along the edges, with a title in the upper one.
  public mutating func frame(title: String = "", style: Style = .plain) {
    guard area.rows >= 2, area.columns >= 2 else { return }
    let (bottom, right) = (area.rows - 1, area.columns - 1)
    fill(Rect(row: 0, column: 0, rows: 1, columns: area.columns), with: "─", style: style)
    fill(Rect(row: bottom, column: 0, rows: 1, columns: area.columns), with: "─", style: style)
    fill(Rect(row: 0, column: 0, rows: area.rows, columns: 1), with: "│", style: style)
    fill(Rect(row: 0, column: right, rows: area.rows, columns: 1), with: "│", style: style)
    for (corner, row, column) in [("┌", 0, 0), ("┐", 0, right), ("└", bottom, 0), ("┘", bottom, right)] {
      write(corner, row: row, column: column, style: style)
    }
    if !title.isEmpty, area.columns > 6 {
      write(" " + TextCleaning.line(title).truncated(to: area.columns - 6) + " ", row: 0, column: 2, style: style.bold)
    }
  }

  /// Shows the terminal's cursor at a position of this canvas.
  public mutating func showCursor(row: Int, column: Int) {
    guard bounds.contains(Point(row: row, column: column)) else { return }
    cursor = Point(row: area.row + row, column: area.column + column)
  }

  /// Hides the cursor, as a dialog does that covers the field below it.
  public mutating func hideCursor() { cursor = nil }
}

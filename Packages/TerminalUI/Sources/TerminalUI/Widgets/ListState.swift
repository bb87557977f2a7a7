/// Which row of a list is selected, and which rows are in sight.
///
/// The list itself is elsewhere: every call says how many rows there are now. Call ``settle(count:rows:)``
/// after every event, then draw ``visible(count:rows:)``.
public struct ListState: Equatable, Sendable {
  /// The selected row; kept inside the list by ``settle(count:rows:)``.
  public var selected: Int
  /// The first row in sight.
  public private(set) var offset: Int

  /// A list at its first row.
  public init(selected: Int = 0) {
    self.selected = selected
    offset = 0
  }

  /// Moves the selection for a key: arrows, j and k, Page Up and Down, Home and End, g and G.
  ///
  /// - Parameter rows: how many rows are in sight.
  /// - Returns: whether the key was one of these.
  public mutating func handle(_ key: Key, count: Int, rows: Int) -> Bool {
    switch key {
    case .up, .character("k"): selected -= 1
    case .down, .character("j"): selected += 1
    case .pageUp, .control("b"): selected -= max(1, rows - 1)
    case .pageDown, .control("f"): selected += max(1, rows - 1)
    case .home, .character("g"): selected = 0
    case .end, .character("G"): selected = count - 1
    default: return false
    }
    settle(count: count, rows: rows)
    return true
  }

  /// Brings the selection into the list and the selected row into sight, scrolling no more than needed.
  public mutating func settle(count: Int, rows: Int) {
    selected = max(0, min(selected, count - 1))
    guard rows > 0 else { return }
    offset = min(offset, selected)
    offset = max(offset, selected - rows + 1)
    offset = max(0, min(offset, count - rows))
  }

  /// The rows in sight.
  public func visible(count: Int, rows: Int) -> Range<Int> {
    let first = max(0, min(offset, count))
    return first..<max(first, min(count, first + max(0, rows)))
  }

  /// The row of the list at a row of the screen part that shows it; nil below its end.
  public func row(at line: Int, count: Int) -> Int? {
    let row = offset + line
    return line >= 0 && row < count ? row : nil
  }
}

extension Canvas {
  /// Draws the rows of a list that are in sight, and at the right edge where in the list they are.
  public mutating func list(
    _ state: ListState, count: Int, _ draw: (_ row: Int, _ isSelected: Bool, _ canvas: inout Canvas) -> Void
  ) {
    let visible = state.visible(count: count, rows: size.rows)
    let overflows = count > size.rows && size.columns > 1
    let width = size.columns - (overflows ? 1 : 0)
    for (line, row) in visible.enumerated() {
      within(Rect(row: line, rows: 1, columns: width)) { draw(row, row == state.selected, &$0) }
    }
    guard overflows, size.rows > 0 else { return }
    let length = max(1, size.rows * size.rows / count)
    let start = min(size.rows - length, visible.lowerBound * size.rows / count)
    let last = visible.upperBound == count
    for line in 0..<size.rows {
      let isThumb = last ? line >= size.rows - length : line >= start && line < start + length
      write(isThumb ? "█" : "░", row: line, column: width, style: .dim)
    }
  }
}

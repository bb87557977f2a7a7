import TerminalUI

/// The rectangles of the browser's parts. Parts that find no room are empty.
///
///     heading ────────────────────────────
///     classes  │ grid, its first line the names
///     line ───────────────────────────────   the query, a value that is typed, a notice
///     below ──────────────────────────────   the mistake under its position, or the whole value under the cursor
///     status ─────────────────────────────
struct BrowserLayout: Equatable {
  var heading: Rect
  var classes: Rect
  var grid: Rect
  var line: Rect
  var below: Rect
  var status: Rect

  /// Below this width classes and grid take turns.
  static let narrow = 56

  init(_ size: Size, focus: BrowserScreen.Focus) {
    let screen = Rect(rows: size.rows, columns: size.columns)
    let parts = screen.split(
      rows: .cells(size.rows >= 7 ? 1 : 0), .share(1), .cells(size.rows >= 3 ? 1 : 0), .cells(size.rows >= 6 ? 1 : 0),
      .cells(size.rows >= 5 ? 1 : 0))
    (heading, line, below, status) = (parts[0], parts[2], parts[3], parts[4])
    if size.columns < Self.narrow {
      let nothing = Rect(row: parts[1].row, rows: 0, columns: 0)
      (classes, grid) = focus == .classes ? (parts[1], nothing) : (nothing, parts[1])
    } else {
      let columns = parts[1].split(columns: .cells(min(28, max(16, size.columns / 4))), .cells(1), .share(1))
      (classes, grid) = (columns[0], columns[2])
    }
  }

  /// The rows of objects; the first line of the grid has the names.
  var rows: Int { max(0, grid.rows - 1) }
}

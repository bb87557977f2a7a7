import TerminalUI

/// The rectangles of the screen's parts. Parts that find no room are empty.
///
///     heading ────────────────────────────
///     lists    │ items
///     detail ─────────────────────────────   one line about the selected item, or an input line
///     status ─────────────────────────────
struct ScreenLayout: Equatable {
  var heading: Rect
  var lists: Rect
  var items: Rect
  var detail: Rect
  var status: Rect

  /// Below this width lists and items take turns.
  static let narrow = 56

  init(_ size: Size, focus: TodoScreen.Focus) {
    let screen = Rect(rows: size.rows, columns: size.columns)
    // On a very low screen the heading goes first, then the status line.
    let parts = screen.split(
      rows: .cells(size.rows >= 5 ? 1 : 0), .share(1), .cells(size.rows >= 3 ? 1 : 0), .cells(size.rows >= 4 ? 1 : 0))
    (heading, detail, status) = (parts[0], parts[2], parts[3])
    if size.columns < Self.narrow {
      let nothing = Rect(row: parts[1].row, rows: 0, columns: 0)
      (lists, items) = focus == .lists ? (parts[1], nothing) : (nothing, parts[1])
    } else {
      let columns = parts[1].split(columns: .cells(min(28, max(18, size.columns / 4))), .cells(1), .share(1))
      (lists, items) = (columns[0], columns[2])
    }
  }
}

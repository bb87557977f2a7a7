import TerminalUI

/// The rectangles of the screen's parts. Parts that find no room are empty.
///
///     heading ────────────────────────────
///     rooms    │ messages
///     notice ─────────────────────────────   what happened, or the message that is answered
///     input ──────────────────────────────
///     status ─────────────────────────────
struct ScreenLayout: Equatable {
  var heading: Rect
  var rooms: Rect
  var messages: Rect
  var notice: Rect
  var input: Rect
  var status: Rect

  /// Below this width rooms and messages take turns.
  static let narrow = 56

  init(_ size: Size, focus: ChatScreen.Focus) {
    let screen = Rect(rows: size.rows, columns: size.columns)
    // On a very low screen the input line stays longest.
    let parts = screen.split(
      rows: .cells(size.rows >= 5 ? 1 : 0), .share(1), .cells(size.rows >= 6 ? 1 : 0), .cells(size.rows >= 2 ? 1 : 0),
      .cells(size.rows >= 4 ? 1 : 0))
    (heading, notice, input, status) = (parts[0], parts[2], parts[3], parts[4])
    if size.columns < Self.narrow {
      let nothing = Rect(row: parts[1].row, rows: 0, columns: 0)
      (rooms, messages) = focus == .rooms ? (parts[1], nothing) : (nothing, parts[1])
    } else {
      let columns = parts[1].split(columns: .cells(min(28, max(18, size.columns / 4))), .cells(1), .share(1))
      (rooms, messages) = (columns[0], columns[2])
    }
  }
}

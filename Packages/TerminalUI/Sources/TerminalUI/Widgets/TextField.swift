import TextWidth

/// One line of text being edited.
///
/// Keys: arrows, Home and End (Ctrl-A, Ctrl-E), Ctrl or Alt with arrows by words, Backspace, Delete,
/// Ctrl-U to the beginning, Ctrl-K to the end, Ctrl-W a word back. The cursor moves by what is seen as one
/// character, however many scalars it has.
public struct TextField: Equatable, Sendable {
  /// The text.
  public private(set) var text: String
  /// The number of characters before the cursor.
  public private(set) var cursor: Int
  /// Whether dots are shown instead of the text.
  public var isSecret: Bool

  /// A field with the cursor at its end. Line breaks become spaces.
  public init(_ text: String = "", isSecret: Bool = false) {
    self.text = Self.oneLine(text)
    cursor = self.text.count
    self.isSecret = isSecret
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }

  /// Edits for a key. Answers whether the key was one for editing.
  public mutating func handle(_ key: Key) -> Bool {
    var editor = LineEditor(text: text, cursor: cursor)
    guard editor.handle(key) else { return false }
    (text, cursor) = (editor.text, editor.cursor)
    return true
  }

  /// Inserts pasted text at the cursor.
  public mutating func paste(_ pasted: String) {
    var editor = LineEditor(text: text, cursor: cursor)
    editor.insert(Self.oneLine(pasted))
    (text, cursor) = (editor.text, editor.cursor)
  }

  /// Draws the field over the first line of a canvas, scrolled so that the cursor is in sight.
  public func draw(on canvas: inout Canvas, isFocused: Bool, style: Style = Style.plain.underline, hint: String = "") {
    let columns = canvas.size.columns
    guard columns > 0 else { return }
    canvas.fill(Rect(rows: 1, columns: columns), style: style)
    if text.isEmpty { canvas.write(hint, row: 0, style: style.dim) }
    let shown = isSecret ? Array(repeating: "•", count: text.count) : text.map { TextCleaning.line(String($0)) }
    var start = 0
    var before = shown[..<cursor].reduce(0) { $0 + $1.displayWidth }
    // One column stays free for the cursor behind the last character.
    while before > columns - 1, start < cursor {
      before -= shown[start].displayWidth
      start += 1
    }
    canvas.write(shown[start...].joined(), row: 0, style: style)
    if start > 0 { canvas.write("‹", row: 0, style: style.dim) }
    if isFocused { canvas.showCursor(row: 0, column: min(before, columns - 1)) }
  }
}

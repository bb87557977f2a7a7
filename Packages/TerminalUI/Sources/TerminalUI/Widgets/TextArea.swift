import TextWidth

/// Several lines of text being edited. Keys are those of ``TextField``, and Up, Down and Enter.
public struct TextArea: Equatable, Sendable {
  /// The text.
  public private(set) var text: String
  /// The number of characters before the cursor.
  public private(set) var cursor: Int

  /// An area with the cursor at its end.
  public init(_ text: String = "") {
    self.text = text.replacing("\r\n", with: "\n")
    cursor = self.text.count
  }

  /// Edits for a key. Answers whether the key was one for editing.
  public mutating func handle(_ key: Key) -> Bool {
    var editor = LineEditor(text: text, cursor: cursor)
    switch key {
    case .enter: editor.insert("\n")
    case .up: editor.moveLine(by: -1)
    case .down: editor.moveLine(by: 1)
    default: guard editor.handle(key) else { return false }
    }
    (text, cursor) = (editor.text, editor.cursor)
    return true
  }

  /// Inserts pasted text at the cursor.
  public mutating func paste(_ pasted: String) {
    var editor = LineEditor(text: text, cursor: cursor)
    editor.insert(pasted.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))
    (text, cursor) = (editor.text, editor.cursor)
  }

  /// Draws the area over a canvas, scrolled so that the cursor is in sight.
  public func draw(on canvas: inout Canvas, isFocused: Bool, style: Style = Style.plain.underline) {
    let size = canvas.size
    guard size.rows > 0, size.columns > 0 else { return }
    canvas.fill(style: style)
    let editor = LineEditor(text: text, cursor: cursor)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let cursorLine = editor.characters[..<cursor].reduce(0) { $0 + ($1.isNewline ? 1 : 0) }
    let before = editor.characters[editor.lineStart..<cursor].reduce(0) {
      $0 + TextCleaning.line(String($1)).displayWidth
    }
    let firstLine = max(0, cursorLine - size.rows + 1)
    let firstColumn = max(0, before - size.columns + 1)
    for (row, line) in lines.dropFirst(firstLine).prefix(size.rows).enumerated() {
      canvas.write(line, row: row, column: -firstColumn, style: style)
    }
    if isFocused { canvas.showCursor(row: cursorLine - firstLine, column: before - firstColumn) }
  }
}

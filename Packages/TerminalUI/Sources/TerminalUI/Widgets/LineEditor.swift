/// Editing of text at a cursor, common to ``TextField`` and ``TextArea``. Positions count characters.
struct LineEditor {
  private(set) var characters: [Character]
  private(set) var cursor: Int

  init(text: String, cursor: Int) {
    characters = Array(text)
    self.cursor = max(0, min(cursor, characters.count))
  }

  var text: String { String(characters) }

  /// Inserts text. A combining character joins the one before the cursor.
  mutating func insert(_ inserted: String) {
    let visible = inserted.filter { character in
      character == "\n" || !character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    }
    let head = Array(String(characters[..<cursor]) + visible)
    let joined = Array(String(head) + String(characters[cursor...]))
    cursor = min(head.count, joined.count)
    characters = joined
  }

  mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = lineStart
    case .end, .control("e"): cursor = lineEnd
    case .backspace: remove(max(0, cursor - 1)..<cursor)
    case .delete, .control("d"): remove(cursor..<min(characters.count, cursor + 1))
    case .control("u"): remove(lineStart..<cursor)
    case .control("k"): remove(cursor..<lineEnd)
    case .control("w"), Key(.backspace, .alt): remove(wordStart..<cursor)
    case Key(.left, .control), Key(.left, .alt), .alt("b"): cursor = wordStart
    case Key(.right, .control), Key(.right, .alt), .alt("f"): cursor = wordEnd
    default:
      guard case .character(let character) = key.code, key.modifiers.isEmpty else { return false }
      insert(String(character))
    }
    return true
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }

  var lineStart: Int {
    var position = cursor
    while position > 0, !characters[position - 1].isNewline { position -= 1 }
    return position
  }

  var lineEnd: Int {
    var position = cursor
    while position < characters.count, !characters[position].isNewline { position += 1 }
    return position
  }

  private var wordStart: Int {
    var position = cursor
    while position > 0, characters[position - 1].isWhitespace { position -= 1 }
    while position > 0, !characters[position - 1].isWhitespace { position -= 1 }
    return position
  }

  private var wordEnd: Int {
    var position = cursor
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    while position < characters.count, !characters[position].isWhitespace { position += 1 }
    return position
  }

  /// Moves one line up or down, keeping the column where the line is long enough.
  mutating func moveLine(by lines: Int) {
    let column = cursor - lineStart
    if lines < 0 {
      guard lineStart > 0 else { return }
      cursor = lineStart - 1
    } else {
      guard lineEnd < characters.count else { return }
      cursor = lineEnd + 1
    }
    let start = lineStart
    cursor = min(start + column, lineEnd)
  }
}

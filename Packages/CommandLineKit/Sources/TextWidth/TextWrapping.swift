/// Breaks text into lines of limited width.
public enum TextWrapping {
  /// The lines of a text, each at most `columns` wide, broken at spaces, or inside a word that is wider than a
  /// line. Line breaks of the text are kept. There is always at least one line.
  ///
  /// - Complexity: O(*n*), *n* = the number of characters.
  public static func lines(of text: String, columns: Int) -> [String] {
    let columns = max(1, columns)
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { paragraph($0, columns: columns) }
  }

  /// The same as one text with line breaks.
  public static func wrap(_ text: String, columns: Int) -> String {
    lines(of: text, columns: columns).joined(separator: "\n")
  }

  private static func paragraph(_ text: Substring, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var width = 0
    for word in text.split(separator: " ") {
      var word = word
      var wordWidth = String(word).displayWidth
      if width > 0, width + 1 + wordWidth <= columns {
        line += " " + word
        width += 1 + wordWidth
        continue
      }
      if width > 0 { lines.append(line) }
      while wordWidth > columns {
        var head = String(word).truncated(to: columns, ellipsis: "")
        if head.isEmpty, let first = word.first { head = String(first) }
        lines.append(head)
        word = word.dropFirst(head.count)
        wordWidth = String(word).displayWidth
      }
      line = String(word)
      width = wordWidth
    }
    if width > 0 || lines.isEmpty { lines.append(line) }
    return lines
  }
}

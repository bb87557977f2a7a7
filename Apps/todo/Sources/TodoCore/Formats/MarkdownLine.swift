/// One line of Markdown, as far as task lists go.
enum MarkdownLine: Equatable {
  case blank
  /// `# Groceries`
  case heading(String)
  /// `- [x] Milk`, or a bullet without a box, which is an open task.
  case task(indent: Int, isDone: Bool, text: String)
  /// The beginning or end of a block of code.
  case fence
  case text(indent: Int, String)

  init(_ line: String) {
    let indent = line.prefix { $0 == " " || $0 == "\t" }.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
    let content = line.drop { $0 == " " || $0 == "\t" }
    if content.allSatisfy(\.isWhitespace) {
      self = .blank
    } else if content.hasPrefix("```") || content.hasPrefix("~~~") {
      self = .fence
    } else if indent < 4, let heading = Self.heading(content) {
      self = .heading(heading)
    } else if let text = Self.afterMarker(content) {
      let (isDone, title) = Self.box(text) ?? (false, text)
      self = .task(indent: indent, isDone: isDone, text: String(title))
    } else {
      self = .text(indent: indent, String(content))
    }
  }

  /// Whether a line is a task with a box.
  static func isTask(_ line: some StringProtocol) -> Bool {
    let content = Substring(line).drop { $0 == " " || $0 == "\t" }
    return afterMarker(content).flatMap(box) != nil
  }

  private static func heading(_ content: Substring) -> String? {
    let marks = content.prefix { $0 == "#" }
    guard (1...6).contains(marks.count), content.dropFirst(marks.count).first?.isWhitespace == true else { return nil }
    return Keys.listName(String(content.dropFirst(marks.count)))
  }

  /// The rest of a line after `- `, `* `, `+ `, `1. ` or `1) `.
  private static func afterMarker(_ content: Substring) -> Substring? {
    var rest = content
    if let first = rest.first, "-*+".contains(first) {
      rest.removeFirst()
    } else {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard (1...9).contains(digits.count) else { return nil }
      rest = rest.dropFirst(digits.count)
      guard let mark = rest.first, mark == "." || mark == ")" else { return nil }
      rest.removeFirst()
    }
    guard rest.first == " " || rest.first == "\t" else { return nil }
    let text = rest.drop { $0 == " " || $0 == "\t" }
    return text.isEmpty ? nil : text
  }

  private static func box(_ text: Substring) -> (Bool, Substring)? {
    guard text.hasPrefix("["), text.dropFirst(2).first == "]", let mark = text.dropFirst().first else { return nil }
    let after = text.dropFirst(3)
    guard after.isEmpty || after.first?.isWhitespace == true else { return nil }
    switch mark {
    case " ": return (false, after.drop(while: \.isWhitespace))
    case "x", "X": return (true, after.drop(while: \.isWhitespace))
    default: return nil
    }
  }
}

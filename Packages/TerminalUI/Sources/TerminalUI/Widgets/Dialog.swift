import TextWidth

/// A question with a few answers, in a frame.
///
/// Left, Right and Tab choose, Enter answers, the first letter of an answer gives it at once, Escape cancels.
public struct Dialog: Equatable, Sendable {
  /// The effect of a key.
  public enum Outcome: Equatable, Sendable {
    case open
    /// The index of the answer.
    case answered(Int)
    case cancelled
  }

  /// The text in the frame.
  public var title: String
  /// The question; wrapped to the width.
  public var message: String
  /// The answers, from left to right.
  public var answers: [String]
  /// The index of the answer that Enter gives.
  public var selected: Int

  /// A dialog.
  public init(title: String, message: String, answers: [String] = ["OK"], selected: Int = 0) {
    self.title = title
    self.message = message
    self.answers = answers
    self.selected = selected
  }

  /// Takes a key.
  public mutating func handle(_ key: Key) -> Outcome {
    guard !answers.isEmpty else { return .cancelled }
    switch key {
    case .escape, .control("c"): return .cancelled
    case .enter: return .answered(max(0, min(selected, answers.count - 1)))
    case .left, .backTab: selected = (selected + answers.count - 1) % answers.count
    case .right, .tab: selected = (selected + 1) % answers.count
    default:
      guard case .character(let letter) = key.code, key.modifiers.isEmpty else { return .open }
      let match = answers.firstIndex { $0.first?.lowercased() == letter.lowercased() }
      return match.map { .answered($0) } ?? .open
    }
    return .open
  }

  /// Draws the dialog in the middle of a canvas.
  public func draw(on canvas: inout Canvas, style: Style = .plain) {
    let (title, message) = (TextCleaning.line(title), TextCleaning.lines(message))
    let buttons = answers.map { "[ \($0) ]" }
    let wanted = max(
      message.split(whereSeparator: \.isNewline).map { $0.displayWidth }.max() ?? 0,
      buttons.joined(separator: " ").displayWidth, title.displayWidth + 4)
    let columns = min(canvas.size.columns, min(64, wanted) + 4)
    let lines = TextWrapping.lines(of: message, columns: max(1, columns - 4))
    let box = canvas.bounds.centered(rows: lines.count + 4, columns: columns)
    canvas.hideCursor()
    canvas.within(box) { canvas in
      canvas.fill(style: style)
      canvas.frame(title: title, style: style)
      canvas.within(canvas.bounds.inset(rows: 1, columns: 2)) { canvas in
        for (row, line) in lines.prefix(max(0, canvas.size.rows - 1)).enumerated() {
          canvas.write(line, row: row, style: style)
        }
        var column = 0
        for (index, button) in buttons.enumerated() {
          let look = index == selected ? style.reverse : style
          column += canvas.write(button, row: canvas.size.rows - 1, column: column, style: look) + 1
        }
      }
    }
  }
}

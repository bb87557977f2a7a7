import TextWidth

/// Text in one style.
public struct Span: Equatable, Sendable {
  /// The text, cleaned when it is drawn.
  public var text: String
  /// Its colours and weight.
  public var style: Style

  /// A span.
  public init(_ text: String, _ style: Style = .plain) {
    self.text = text
    self.style = style
  }

  var width: Int { TextCleaning.line(text).displayWidth }
}

extension Canvas {
  /// Writes spans one after the other, cut at the edge. Answers the columns used.
  @discardableResult
  public mutating func write(_ spans: [Span], row: Int, column: Int = 0, width: Int? = nil) -> Int {
    var used = 0
    let room = width ?? max(0, size.columns - column)
    for span in spans where used < room {
      used += write(
        span.text, row: row, column: column + used, style: span.style, width: room - used, ellipsis: true)
    }
    return used
  }
}

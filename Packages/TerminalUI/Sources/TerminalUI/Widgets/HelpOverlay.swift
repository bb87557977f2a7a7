import TextWidth

/// A list of keys and what they do, in a frame over everything else. Long meanings are wrapped. It scrolls; any other key
/// closes it.
public struct HelpOverlay: Equatable, Sendable {
  /// Keys that belong together.
  public struct Section: Equatable, Sendable {
    /// The heading.
    public var title: String
    /// The keys, from top to bottom.
    public var keys: [Entry]

    /// A section.
    public init(_ title: String, _ keys: [(String, String)]) {
      self.title = title
      self.keys = keys.map { Entry(key: $0.0, meaning: $0.1) }
    }
  }

  /// A key and what it does.
  public struct Entry: Equatable, Sendable {
    /// The key as people know it.
    public var key: String
    /// Its effect in a few words.
    public var meaning: String
  }

  /// The heading.
  public var title: String
  /// The sections, from top to bottom.
  public var sections: [Section]
  private var offset = 0

  /// An overlay.
  public init(title: String, sections: [Section]) {
    self.title = title
    self.sections = sections
  }

  /// Takes a key. Answers false when the overlay is to be closed.
  public mutating func handle(_ key: Key) -> Bool {
    // The size of the canvas is known when it is drawn: a narrow one has the most lines.
    let last = max(0, lines(columns: 36).count - 1)
    switch key {
    case .down, .character("j"): offset = min(offset + 1, last)
    case .up, .character("k"): offset = max(0, offset - 1)
    case .pageDown, .space: offset = min(offset + 10, last)
    case .pageUp: offset = max(0, offset - 10)
    default: return false
    }
    return true
  }

  /// The lines, at most so many columns wide. Keys take no more than half of them.
  private func lines(columns: Int) -> [[Span]] {
    let width = min(sections.flatMap(\.keys).map { $0.key.displayWidth }.max() ?? 0, max(1, columns / 2 - 4))
    return sections.enumerated().flatMap { index, section in
      (index == 0 ? [] : [[]]) + [[Span(section.title, .bold)]]
        + section.keys.flatMap { entry in
          TextWrapping.lines(of: entry.meaning, columns: columns - width - 4).enumerated().map { number, meaning in
            let key = number == 0 ? entry.key.truncated(to: width) : ""
            return [Span("  " + key.padded(to: width + 2)), Span(meaning)]
          }
        }
    }
  }

  /// Draws the overlay in the middle of a canvas.
  public func draw(on canvas: inout Canvas) {
    var lines = lines(columns: canvas.size.columns - 4)
    // In a low window the lines between sections go first.
    if lines.count + 2 > canvas.size.rows { lines.removeAll(where: \.isEmpty) }
    let widest = lines.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 0
    let box = canvas.bounds.centered(
      rows: min(lines.count + 2, canvas.size.rows),
      columns: min(max(widest, title.displayWidth + 4) + 4, canvas.size.columns))
    canvas.hideCursor()
    canvas.within(box) { canvas in
      canvas.fill()
      canvas.frame(title: title)
      canvas.within(canvas.bounds.inset(rows: 1, columns: 2)) { canvas in
        let first = max(0, min(offset, lines.count - canvas.size.rows))
        for (row, line) in lines.dropFirst(first).prefix(canvas.size.rows).enumerated() {
          canvas.write(line, row: row)
        }
        if lines.count - first > canvas.size.rows {
          canvas.write("↓ more", row: canvas.size.rows - 1, endingAt: canvas.size.columns, style: .dim)
        }
      }
    }
  }
}

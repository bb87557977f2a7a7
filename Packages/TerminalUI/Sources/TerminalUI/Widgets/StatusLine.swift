import TextWidth

/// One line with something at each end. When there is too little room, the left end is cut.
public struct StatusLine: Equatable, Sendable {
  /// The spans from the left edge.
  public var left: [Span]
  /// The spans that end at the right edge.
  public var right: [Span]
  /// The style between the two ends.
  public var style: Style

  /// A status line.
  public init(left: [Span] = [], right: [Span] = [], style: Style = .reverse) {
    self.left = left
    self.right = right
    self.style = style
  }

  /// Draws the line over the first line of a canvas.
  public func draw(on canvas: inout Canvas) {
    let columns = canvas.size.columns
    canvas.fill(Rect(rows: 1, columns: columns), style: style)
    let rightWidth = right.reduce(0) { $0 + $1.width }
    // The right part goes first when not even a part of the left would fit beside it.
    let showsRight = rightWidth + 12 <= columns || left.isEmpty
    let room = showsRight ? columns - rightWidth - (right.isEmpty ? 0 : 1) : columns
    canvas.write(left, row: 0, width: max(0, room))
    if showsRight { canvas.write(right, row: 0, column: max(0, columns - rightWidth)) }
  }
}

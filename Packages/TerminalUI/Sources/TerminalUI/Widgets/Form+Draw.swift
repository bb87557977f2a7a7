import TextWidth

extension Form {
  /// Draws the form in the middle of a canvas, scrolled so that the field with the cursor is in sight.
  public func draw(on canvas: inout Canvas, style: Style = .plain) {
    let size = canvas.size
    let heights = fields.map(height)
    let wanted = heights.reduce(0, +) + 3
    let box = canvas.bounds.centered(rows: min(wanted, max(4, size.rows - 2)), columns: min(72, size.columns))
    canvas.hideCursor()
    canvas.within(box) { canvas in
      canvas.fill(style: style)
      canvas.frame(title: title, style: style)
      let inside = canvas.bounds.inset(rows: 1, columns: 2)
      canvas.within(Rect(row: inside.row + inside.rows - 1, column: inside.column, rows: 1, columns: inside.columns)) {
        $0.write("Enter/^S save   Tab next   Esc cancel", row: 0, style: style.dim)
      }
      let body = Rect(row: inside.row, column: inside.column, rows: inside.rows - 1, columns: inside.columns)
      canvas.within(body) { drawFields(on: &$0, heights, style) }
    }
  }

  private func height(_ field: Field) -> Int {
    let rows = if case .area = field.content { 3 } else { 1 }
    return rows + (field.error == nil ? 0 : 1)
  }

  private func drawFields(on canvas: inout Canvas, _ heights: [Int], _ style: Style) {
    let labelWidth = min(canvas.size.columns / 3, (fields.map { $0.label.displayWidth }.max() ?? 0) + 2)
    let end = heights.prefix(focus + 1).reduce(0, +)
    var row = -max(0, end - canvas.size.rows)
    for (index, field) in fields.enumerated() {
      let height = heights[index]
      defer { row += height }
      guard row >= 0, row < canvas.size.rows else { continue }
      let isFocused = index == focus
      canvas.write(field.label, row: row, style: isFocused ? style.bold : style, width: labelWidth - 1, ellipsis: true)
      let rows = height - (field.error == nil ? 0 : 1)
      let place = Rect(row: row, column: labelWidth, rows: rows, columns: canvas.size.columns - labelWidth)
      canvas.within(place) { draw(field, isFocused, on: &$0, style) }
      if let error = field.error {
        canvas.write(error, row: row + rows, column: labelWidth, style: style.foreground(.red), ellipsis: true)
      }
    }
  }

  private func draw(_ field: Field, _ isFocused: Bool, on canvas: inout Canvas, _ style: Style) {
    switch field.content {
    case .text(let text): text.draw(on: &canvas, isFocused: isFocused, style: style.underline, hint: field.hint)
    case .area(let area): area.draw(on: &canvas, isFocused: isFocused, style: style.underline)
    case .choice(let words, let selected):
      let word = words.indices.contains(selected) ? words[selected] : ""
      canvas.write("‹ \(word) ›", row: 0, style: isFocused ? style.reverse : style)
    }
  }
}

import DataModel
import QueryLanguage
import TerminalUI
import TextWidth

/// The two lines below the grid.
extension BrowserScreen {
  private static let queryLabel = " / "

  func drawLine(_ canvas: inout Canvas) {
    switch mode {
    case .querying(let field, _):
      draw(field, label: Self.queryLabel, hint: "age > 3 AND name BEGINSWITH 'A' SORT(name ASC) LIMIT 10", &canvas)
    case .editing(let field, let object, let property, _):
      draw(field, label: " \(object.className).\(property.name) ", hint: property.phrase, &canvas)
    case .browsing, .confirming, .overlay:
      if let notice {
        canvas.write(
          " " + notice.text, row: 0, style: notice.isError ? Style.bold.foreground(.red) : .plain, ellipsis: true)
      } else if let (record, property) = selectedCell, focus == .grid {
        let text = record[property.name].flatMap { texts.text($0, property) } ?? "null"
        canvas.write(
          [Span(" \(property.name) ", .bold), Span("\(property.phrase)  ", .dim), Span(String(text.prefix(500)))],
          row: 0)
      }
    }
  }

  private func draw(_ field: TextField, label: String, hint: String, _ canvas: inout Canvas) {
    let used = canvas.write(label, row: 0, style: .bold, width: max(3, canvas.size.columns / 2))
    let place = Rect(column: used, rows: 1, columns: canvas.size.columns - used)
    canvas.within(place) { field.draw(on: &$0, isFocused: true, hint: hint) }
  }

  func drawBelow(_ canvas: inout Canvas) {
    switch mode {
    case .querying(let field, let error?): draw(error, in: field.text, &canvas)
    case .querying: canvas.write("   Enter shows what matches, Esc leaves the query", row: 0, style: .dim)
    case .editing(_, _, _, let error?):
      canvas.write(" " + error, row: 0, style: Style.bold.foreground(.red), ellipsis: true)
    case .editing(_, _, let property, _):
      canvas.write(" \(property.phrase); Enter saves, ^N is null, Esc leaves it", row: 0, style: .dim, ellipsis: true)
    case .browsing, .confirming, .overlay: break
    }
  }

  /// The mistake under its position: a caret and the words, or the words and a caret where the right edge is near.
  private func draw(_ error: QueryError, in text: String, _ canvas: inout Canvas) {
    let style = Style.bold.foreground(.red)
    let before = String(decoding: text.utf8.prefix(error.span.start), as: UTF8.self)
    let column = Self.queryLabel.displayWidth + TextCleaning.line(before).displayWidth
    let words = error.hint.map { "\(error.message); \($0)" } ?? error.message
    let room = canvas.size.columns - column - 2
    if words.displayWidth <= room || room >= canvas.size.columns / 2 {
      canvas.write("^ " + words, row: 0, column: column, style: style, ellipsis: true)
    } else {
      let at = min(column, canvas.size.columns - 1)
      canvas.write(
        words, row: 0, column: max(0, at - words.displayWidth - 1), style: style, width: at - 1, ellipsis: true)
      canvas.write("^", row: 0, column: at, style: style)
    }
  }
}

import DataModel
import QueryLanguage
import RecordStore
import TerminalUI
import TextWidth

extension BrowserScreen {
  /// Draws the whole screen. O(rows · columns).
  func view(_ canvas: inout Canvas) {
    let layout = BrowserLayout(canvas.size, focus: focus)
    canvas.within(layout.heading) { drawHeading(&$0) }
    canvas.within(layout.classes) { drawClasses(&$0) }
    if !layout.classes.isEmpty, !layout.grid.isEmpty {
      let line = Rect(row: layout.classes.row, column: layout.classes.columns, rows: layout.classes.rows, columns: 1)
      canvas.fill(line, with: "│", style: .dim)
    }
    canvas.within(layout.grid) { drawGrid(&$0) }
    canvas.within(layout.line) { drawLine(&$0) }
    canvas.within(layout.below) { drawBelow(&$0) }
    canvas.within(layout.status) { drawStatus(&$0) }
    switch mode {
    case .overlay(let overlay): overlay.draw(on: &canvas)
    case .confirming(let dialog, _): dialog.draw(on: &canvas)
    case .browsing, .querying, .editing: break
    }
  }

  private func drawHeading(_ canvas: inout Canvas) {
    var left = [Span(" \(title)", .bold)]
    if let view {
      left.append(Span("  \(view.origin ?? view.className)"))
      if let query = view.query { left.append(Span("  \(query)", .bold)) }
    }
    let objects = view.map { $0.total == 1 ? "1 object " : "\($0.total) objects " } ?? ""
    StatusLine(left: left, right: [Span(objects)], style: .plain.underline).draw(on: &canvas)
  }

  private func drawClasses(_ canvas: inout Canvas) {
    canvas.list(classList, count: classes.count) { row, isSelected, canvas in
      guard classes.indices.contains(row) else { return }
      let style = isSelected ? (focus == .classes ? Style.reverse : .bold) : .plain
      if isSelected { canvas.fill(style: style) }
      let count = String(classes[row].count)
      canvas.write(
        classes[row].name, row: 0, column: 1, style: style, width: max(0, canvas.size.columns - count.count - 3),
        ellipsis: true)
      canvas.write(count, row: 0, endingAt: canvas.size.columns - 1, style: style.dim)
    }
    if classes.isEmpty { canvas.write(" no classes", row: 0, style: .dim) }
  }

  private func drawGrid(_ canvas: inout Canvas) {
    guard let view else { return }
    let columns = GridColumns(self)
    let visible = columns.visible
    if columns.showsKey { canvas.write("$key", row: 0, column: 1, style: .dim, width: columns.keyWidth) }
    for (index, column, width) in visible {
      let isSelected = index == view.column && focus == .grid
      canvas.write(
        columns.properties[index].name, row: 0, column: column, style: isSelected ? Style.bold.underline : .bold,
        width: width, ellipsis: true)
    }
    if columns.properties.count > (visible.last?.index ?? 0) + 1 {
      canvas.write("›", row: 0, endingAt: canvas.size.columns, style: .dim)
    }
    let body = Rect(row: 1, rows: canvas.size.rows - 1, columns: canvas.size.columns)
    canvas.within(body) { canvas in
      canvas.list(view.rows, count: view.total) { row, isSelected, canvas in
        if let record = view.record(row) { draw(record, isSelected, columns, visible, &canvas) }
      }
      if view.total == 0 {
        canvas.write(view.query == nil ? " no objects" : " nothing matches; Esc shows all", row: 0, style: .dim)
      }
    }
  }

  private func draw(
    _ record: ObjectRecord, _ isSelected: Bool, _ columns: GridColumns,
    _ visible: [(index: Int, column: Int, width: Int)], _ canvas: inout Canvas
  ) {
    let isMarked = isSelected && focus == .grid
    if isSelected { canvas.fill(style: isMarked ? .bold : .plain) }
    let texts = texts
    if columns.showsKey {
      canvas.write(texts.text(record.key), row: 0, column: 1, style: .dim, width: columns.keyWidth, ellipsis: true)
    }
    for (index, column, width) in visible {
      let property = columns.properties[index]
      let cell = GridColumns.cell(record, property, texts)
      var style = cell.isDim ? Style.dim : isMarked ? .bold : .plain
      if isMarked, index == view?.column {
        style = .reverse
        canvas.fill(Rect(column: column, rows: 1, columns: min(width, canvas.size.columns - column)), style: style)
      }
      if [.int, .float, .double, .decimal128].contains(property.type), property.collection == .single,
        cell.text.displayWidth <= width
      {
        canvas.write(cell.text, row: 0, endingAt: column + width, style: style)
      } else {
        canvas.write(cell.text, row: 0, column: column, style: style, width: width, ellipsis: true)
      }
    }
  }

  private func drawStatus(_ canvas: inout Canvas) {
    var left = status.text.isEmpty ? "" : " " + status.text
    if isReadOnly { left += " read only" }
    let style = status.isProblem ? Style.reverse.bold : .reverse
    StatusLine(left: [Span(left, style)], right: [Span("/ query  ? help  q quit ", .reverse)]).draw(on: &canvas)
  }
}

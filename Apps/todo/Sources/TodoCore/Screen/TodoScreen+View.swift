import TerminalUI
import TextWidth

extension TodoScreen {
  /// Draws the whole screen.
  ///
  /// - Complexity: O(*n*) in the items of the list that is shown.
  public func view(_ canvas: inout Canvas) {
    let layout = ScreenLayout(canvas.size, focus: focus)
    canvas.within(layout.heading) { drawHeading(&$0) }
    canvas.within(layout.lists) { drawLists(&$0) }
    if !layout.lists.isEmpty, !layout.items.isEmpty {
      let line = Rect(row: layout.lists.row, column: layout.lists.columns, rows: layout.lists.rows, columns: 1)
      canvas.fill(line, with: "│", style: .dim)
    }
    canvas.within(layout.items) { drawItems(&$0) }
    canvas.within(layout.detail) { drawDetail(&$0) }
    canvas.within(layout.status) { drawStatus(&$0) }
    switch mode {
    case .editing(let form, _, _), .sharing(let form): form.draw(on: &canvas)
    case .confirmingDelete(let dialog, _): dialog.draw(on: &canvas)
    case .help(let overlay): overlay.draw(on: &canvas)
    case .choosingList(let state, _): drawChoice(state, &canvas)
    case .browsing, .addingItem, .addingList, .renamingList, .namingList, .filtering: break
    }
  }

  private func drawHeading(_ canvas: inout Canvas) {
    var left = [Span(" todo ", .bold)]
    switch scope {
    case .list:
      guard let list else { break }
      left.append(Span(list.name.truncated(to: max(8, canvas.size.columns / 2)), .bold))
      let done = list.items.count - list.openCount
      left.append(Span("  \(list.openCount) open" + (done > 0 ? ", \(done) done" : "")))
    case .all:
      left += [Span("All lists", .bold), Span("  \(board.lists.reduce(0) { $0 + $1.openCount }) open")]
    case .overdue:
      let late = scope.items(of: list, on: board, today: today).count
      left += [Span("Overdue", .bold), Span("  \(late) \(late == 1 ? "item" : "items")")]
    }
    var right: [Span] = []
    if !marked.isEmpty { right.append(Span(" \(marked.count) marked ", Style.reverse.foreground(.cyan))) }
    if let text = order.text { right.append(Span(" \(text) ", .reverse)) }
    if let access = status.access, let place = access.foreignPlace {
      let may = access.mayEdit ? "you may \(access.level == .manage ? "manage" : "write")" : "read only"
      right.append(Span(" \(place.truncated(to: 24)): \(may) ", Style.reverse.foreground(.yellow)))
    } else if status.isReadOnly {
      right.append(Span(" read only ", Style.reverse.foreground(.yellow)))
    }
    if filter.state != .all { right.append(Span(" \(filter.state.rawValue) only ", .reverse)) }
    if !filter.text.isEmpty { right.append(Span(" filter: \(filter.text.truncated(to: 20)) ", .reverse)) }
    StatusLine(left: left, right: right, style: .plain.underline).draw(on: &canvas)
  }

  private func drawLists(_ canvas: inout Canvas) {
    canvas.list(lists, count: board.lists.count) { row, isSelected, canvas in
      guard board.lists.indices.contains(row) else { return }
      let list = board.lists[row]
      let style = isSelected ? (focus == .lists ? Style.reverse : .bold) : .plain
      if isSelected { canvas.fill(style: style) }
      let count = list.openCount > 0 ? String(list.openCount) : ""
      let width = canvas.size.columns - count.displayWidth - 3
      canvas.write(list.name, row: 0, column: 1, style: style, width: max(0, width), ellipsis: true)
      canvas.write(count, row: 0, endingAt: canvas.size.columns - 1, style: style.dim)
    }
    if board.lists.isEmpty { canvas.write(" no lists", row: 0, style: .dim) }
  }

  private func drawItems(_ canvas: inout Canvas) {
    let visible = visibleItems
    canvas.list(items, count: visible.count) { row, isSelected, canvas in
      if visible.indices.contains(row) { draw(visible[row], isSelected: isSelected && focus == .items, &canvas) }
    }
    guard visible.isEmpty else { return }
    if scope == .overdue, filter.isOff {
      canvas.write(" nothing is overdue", row: 0, style: .dim)
    } else if !scope.items(of: list, on: board, today: today).isEmpty {
      canvas.write(" nothing matches the filter; Esc shows all", row: 0, style: .dim)
    } else {
      canvas.write(" nothing to do; press a to add an item", row: 0, style: .dim)
    }
  }

  private func draw(_ item: Item, isSelected: Bool, _ canvas: inout Canvas) {
    let base = isSelected ? Style.reverse : item.isDone ? .dim : .plain
    if isSelected { canvas.fill(style: base) }
    let due = item.due?.text ?? ""
    let marks = item.notes.isEmpty ? "" : "≡"
    let columns = canvas.size.columns
    // Where items of several lists stand together, each names its list.
    let place = scope == .list || columns < 50 ? "" : board.location(of: item.key)?.list.name.truncated(to: 14) ?? ""
    let tail = [place, marks, due].filter { !$0.isEmpty }.joined(separator: " ")
    // The date gives way where it would leave the title too little room.
    let tailWidth = tail.isEmpty || columns < 30 ? 0 : tail.displayWidth + 2
    if marked.contains(item.key) { canvas.write("*", row: 0, style: base.bold) }
    canvas.write(item.isDone ? "[x]" : "[ ]", row: 0, column: 1, style: base)
    let letter = Priority.letter(item.priority)
    let letterStyle = isSelected || item.isDone ? base : base.bold.foreground(item.priority == 1 ? .red : .yellow)
    canvas.write(letter, row: 0, column: 5, style: letterStyle)
    canvas.write(
      item.title, row: 0, column: 7, style: base, width: max(0, columns - 8 - tailWidth), ellipsis: true)
    guard tailWidth > 0 else { return }
    let isLate = item.isOverdue(on: today)
    let isToday = !item.isDone && item.due == today
    let color: Color? = isSelected ? nil : isLate ? .red : isToday ? .yellow : nil
    canvas.write(tail, row: 0, endingAt: columns - 1, style: base.foreground(color))
  }

  private func drawDetail(_ canvas: inout Canvas) {
    if let (label, field, hint) = inputLine {
      let used = canvas.write(" \(label) ", row: 0, style: .bold)
      let place = Rect(row: 0, column: used, rows: 1, columns: canvas.size.columns - used)
      canvas.within(place) { field.draw(on: &$0, isFocused: true, hint: hint) }
    } else if let notice {
      canvas.write(
        " " + notice.text, row: 0, style: notice.isError ? .plain.bold.foreground(.red) : .plain, ellipsis: true)
    } else if focus == .items, let item = selectedItem, !item.notes.isEmpty {
      canvas.write(" ≡ " + item.notes, row: 0, style: .dim, ellipsis: true)
    }
  }

  private func drawStatus(_ canvas: inout Canvas) {
    let mark = status.connection == .connected ? "●" : status.connection == .connecting ? "◌" : "○"
    var left = [Span(" \(mark) \(status.text)", .reverse)]
    if let problem = status.problem {
      left = [Span(TextCleaning.line(" ! \(problem.message): \(problem.remedy)"), Style.reverse.bold)]
    }
    // While something is typed, the line above is taken.
    if inputLine != nil, let notice, notice.isError { left = [Span(" ! \(notice.text)", Style.reverse.bold)] }
    var right = "? help  q quit "
    let used = left.reduce(0) { $0 + $1.text.displayWidth } + right.displayWidth + status.account.displayWidth + 3
    // The account gives way to the state of the connection.
    if !status.account.isEmpty, used <= canvas.size.columns { right = status.account + "  " + right }
    StatusLine(left: left, right: [Span(right, .reverse)]).draw(on: &canvas)
  }

  /// The lists to which items may move; the last line says how to make another.
  private func drawChoice(_ state: ListState, _ canvas: inout Canvas) {
    let box = canvas.bounds.centered(
      rows: min(board.lists.count + 3, canvas.size.rows), columns: min(40, canvas.size.columns))
    canvas.within(box) { canvas in
      canvas.fill()
      canvas.frame(title: "Move to")
      let inner = canvas.bounds.inset(rows: 1, columns: 2)
      canvas.write("n new list   Esc cancel", row: inner.row + inner.rows - 1, column: 2, style: .dim)
      canvas.within(Rect(row: inner.row, column: inner.column, rows: inner.rows - 1, columns: inner.columns)) {
        canvas in
        var state = state
        state.settle(count: board.lists.count, rows: canvas.size.rows)
        canvas.list(state, count: board.lists.count) { row, isSelected, canvas in
          guard board.lists.indices.contains(row) else { return }
          canvas.write(board.lists[row].name, row: 0, style: isSelected ? .reverse : .plain, ellipsis: true)
        }
      }
    }
  }
}

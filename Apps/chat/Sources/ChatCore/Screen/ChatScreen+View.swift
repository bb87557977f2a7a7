import TerminalUI
import TextWidth

extension ChatScreen {
  /// Draws the whole screen.
  ///
  /// - Complexity: O(*n*) in the characters of the messages of the room that is shown.
  public func view(_ canvas: inout Canvas) {
    let layout = ScreenLayout(canvas.size, focus: focus)
    canvas.within(layout.heading) { drawHeading(&$0) }
    canvas.within(layout.rooms) { drawRooms(&$0) }
    if !layout.rooms.isEmpty, !layout.messages.isEmpty {
      let line = Rect(row: layout.rooms.row, column: layout.rooms.columns, rows: layout.rooms.rows, columns: 1)
      canvas.fill(line, with: "│", style: .dim)
    }
    canvas.within(layout.messages) { drawMessages(&$0) }
    canvas.within(layout.notice) { drawNotice(&$0) }
    canvas.within(layout.input) { drawInput(&$0) }
    canvas.within(layout.status) { drawStatus(&$0) }
    switch mode {
    case .creatingRoom(let form): form.draw(on: &canvas)
    case .inviting(let picker, let room): draw(picker, room, on: &canvas)
    case .confirming(let dialog, _): dialog.draw(on: &canvas)
    case .help(let overlay): overlay.draw(on: &canvas)
    case .hits(let state): drawHits(state, &canvas)
    case .members(let state, let key): drawMembers(state, key, &canvas)
    case .browsing, .searching, .reacting, .renaming: break
    }
  }

  private func drawHeading(_ canvas: inout Canvas) {
    var left = [Span(" chat ", .bold)]
    var right: [Span] = []
    if let room {
      let name = TextCleaning.line(room.name).truncated(to: max(8, canvas.size.columns / 2))
      left.append(Span("\(room.mark) \(name)", Style.plain.bold.foreground(Self.colour(room))))
      if room.isPrivate {
        left.append(Span("  \(room.members.count) member\(room.members.count == 1 ? "" : "s")", .dim))
      } else {
        left.append(Span("  public", .dim))
      }
      if room.access == .read { right.append(Span(" read only ", Style.reverse.foreground(.yellow))) }
    }
    let elsewhere = chat.rooms.reduce(0) { $0 + ($1.key == roomKey ? 0 : $1.unread) }
    if elsewhere > 0 { right.append(Span(" \(elsewhere) unread ", .reverse)) }
    StatusLine(left: left, right: right, style: .plain.underline).draw(on: &canvas)
  }

  /// The colour that the user gave a room.
  static func colour(_ room: Room) -> Color? { (1...7).contains(room.colour) ? Color(UInt8(room.colour)) : nil }

  private func drawRooms(_ canvas: inout Canvas) {
    canvas.list(rooms, count: chat.rooms.count) { row, isSelected, canvas in
      guard chat.rooms.indices.contains(row) else { return }
      let room = chat.rooms[row]
      var style = isSelected ? (focus == .rooms ? Style.reverse : .bold) : room.unread > 0 ? .bold : .plain
      if isSelected { canvas.fill(style: style) }
      if !isSelected || focus != .rooms { style = style.foreground(Self.colour(room)) }
      let count = room.unread > 0 ? (room.unread > 99 ? "99+" : String(room.unread)) : ""
      let draft = inputs[room.key].map { !$0.text.isEmpty } ?? !room.draft.isEmpty
      let marks = (draft && room.key != roomKey ? "✎" : "") + (room.isPinned ? "•" : "")
      canvas.write(room.mark, row: 0, column: 1, style: style.dim)
      let width = canvas.size.columns - count.displayWidth - marks.displayWidth - 6
      canvas.write(room.name, row: 0, column: 3, style: style, width: max(0, width), ellipsis: true)
      canvas.write(
        [marks, count].filter { !$0.isEmpty }.joined(separator: " "), row: 0, endingAt: canvas.size.columns - 1,
        style: count.isEmpty ? style.dim : style.foreground(.red))
    }
    if chat.rooms.isEmpty {
      canvas.write(" no rooms yet:", row: 0, style: .dim)
      canvas.write(" n makes one", row: 1, style: .dim)
    }
  }

  private func drawMessages(_ canvas: inout Canvas) {
    let lines = lines(columns: canvas.size.columns)
    guard !messages.isEmpty else {
      let text =
        room == nil ? "" : chat.openRoom == roomKey ? " nothing was said here yet" : " opening…"
      canvas.write(text, row: 0, style: .dim)
      return
    }
    // Few messages stand at the bottom, beside the input line.
    let rows = canvas.size.rows
    let first = lines.count <= rows ? rows - lines.count : 0
    let selected = selectedMessage?.key
    for (row, line) in lines.dropFirst(topLine).prefix(rows).enumerated() {
      let isSelected = selected != nil && line.key == selected
      let spans = isSelected ? line.spans.map { Span($0.text, $0.style.reverse) } : line.spans
      canvas.write(spans, row: first + row)
    }
  }

  private func drawNotice(_ canvas: inout Canvas) {
    if let notice {
      let style = notice.isError ? Style.plain.bold.foreground(.red) : .plain
      canvas.write(" " + notice.text, row: 0, style: style, ellipsis: true)
    } else if let roomKey, let key = replies[roomKey] {
      let text = chat.message(key).map { "\(chat.name(of: $0.author)): \($0.body)" } ?? "a message that is not here"
      canvas.write(" ↳ answering \(text)", row: 0, style: .dim, ellipsis: true)
    } else if focus == .messages, selectedMessage != nil {
      canvas.write(" r reply  + react  i write  / search  ? help", row: 0, style: .dim, ellipsis: true)
    }
  }

  private func drawInput(_ canvas: inout Canvas) {
    let (label, field, hint) = inputLine
    let used = canvas.write(" \(label) ", row: 0, style: .bold)
    let place = Rect(row: 0, column: used, rows: 1, columns: canvas.size.columns - used)
    let isTyping = isTyping
    canvas.within(place) { field.draw(on: &$0, isFocused: isTyping, hint: hint) }
  }

  private func drawStatus(_ canvas: inout Canvas) {
    let mark = status.connection == .connected ? "●" : status.connection == .connecting ? "◌" : "○"
    var left = [Span(TextCleaning.line(" \(mark) \(status.text)"), .reverse)]
    if let problem = status.problem {
      left = [Span(TextCleaning.line(" ! \(problem.message): \(problem.remedy)"), Style.reverse.bold)]
    }
    // On a low screen there is no line for notices.
    if canvas.size.rows > 0, size.rows < 6, let notice, notice.isError {
      left = [Span(TextCleaning.line(" ! \(notice.text)"), Style.reverse.bold)]
    }
    var right = focus == .input ? "F1 help " : "? help  q quit "
    let account = TextCleaning.line(status.account)
    let used = left.reduce(0) { $0 + $1.columns } + right.displayWidth + account.displayWidth + 3
    // The account gives way to the state of the connection.
    if !account.isEmpty, used <= canvas.size.columns { right = account + "  " + right }
    StatusLine(left: left, right: [Span(right, .reverse)]).draw(on: &canvas)
  }
}

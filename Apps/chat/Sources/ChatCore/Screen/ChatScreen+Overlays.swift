import TerminalUI
import TextWidth

extension ChatScreen {
  func drawHits(_ state: ListState, _ canvas: inout Canvas) {
    guard let answer = chat.search else { return }
    let box = canvas.bounds.inset(rows: canvas.size.rows > 12 ? 2 : 0, columns: canvas.size.columns > 60 ? 4 : 0)
    canvas.hideCursor()
    canvas.within(box) { canvas in
      canvas.fill()
      let more = answer.isComplete ? "" : ", the server is asked"
      canvas.frame(title: "'\(TextCleaning.line(answer.text))': \(answer.hits.count) found\(more)")
      canvas.within(canvas.bounds.inset(rows: 1, columns: 1)) { canvas in
        var state = state
        state.settle(count: answer.hits.count, rows: canvas.size.rows)
        canvas.list(state, count: answer.hits.count) { row, isSelected, canvas in
          guard answer.hits.indices.contains(row) else { return }
          let hit = answer.hits[row]
          let style = isSelected ? Style.reverse : .plain
          if isSelected { canvas.fill(style: style) }
          let room = chat.room(hit.room).map { "\($0.mark) \($0.name)" } ?? ""
          let name = chat.name(of: hit.message.author)
          canvas.write("\(room) · \(name): \(hit.message.body)", row: 0, style: style, ellipsis: true)
        }
        if answer.hits.isEmpty { canvas.write("nothing with these words", row: 0, style: .dim) }
      }
    }
  }

  func drawMembers(_ state: ListState, _ key: String, _ canvas: inout Canvas) {
    guard let room = chat.room(key) else { return }
    let box = canvas.bounds.centered(
      rows: min(max(4, room.members.count + 4), canvas.size.rows), columns: min(56, canvas.size.columns))
    canvas.hideCursor()
    canvas.within(box) { canvas in
      canvas.fill()
      canvas.frame(title: "Members of \(TextCleaning.line(room.name))")
      let parts = canvas.bounds.inset(rows: 1, columns: 1).split(rows: .share(1), .cells(canvas.size.rows > 3 ? 1 : 0))
      canvas.within(parts[0]) { canvas in
        var state = state
        state.settle(count: room.members.count, rows: canvas.size.rows)
        canvas.list(state, count: room.members.count) { row, isSelected, canvas in
          guard room.members.indices.contains(row) else { return }
          let member = room.members[row]
          let style = isSelected ? Style.reverse : .plain
          if isSelected { canvas.fill(style: style) }
          let you = member.id == chat.me.id ? " (you)" : ""
          canvas.write(
            chat.name(of: member.id) + you, row: 0, style: style, width: canvas.size.columns - 16, ellipsis: true)
          canvas.write(Self.words(member.access), row: 0, endingAt: canvas.size.columns, style: style)
        }
      }
      canvas.within(parts[1]) { canvas in
        let keys =
          room.access == .manage
          ? "a add  ← → rights  d revoke  t pass on  Esc" : "only administrators change this  Esc"
        canvas.write(keys, row: 0, style: .dim, ellipsis: true)
      }
    }
  }

  /// The right of a member in words.
  static func words(_ access: Access) -> String {
    switch access {
    case .read: "reads"
    case .write: "writes"
    case .manage: "administrates"
    }
  }

  static let help = HelpOverlay(
    title: "Keys",
    sections: [
      .init(
        "Writing",
        [
          ("Enter", "send"), ("Esc", "to the messages"), ("Tab", "write, rooms, messages, in turn"),
          ("^N", "the next room with unread messages"), ("^L", "draw anew"),
        ]),
      .init(
        "Messages",
        [
          ("↑ ↓, j k", "select; also Page Up, Page Down, Home, End"), ("Page Up", "at the top: earlier messages"),
          ("r", "reply"), ("+, e", "react, or take the reaction back"), ("/", "search in all rooms"),
          ("i, Enter", "write"),
        ]),
      .init(
        "Rooms",
        [
          ("n", "new room"), ("m", "members of a private room"), ("p", "pin"), ("c", "colour"), ("u", "next unread"),
          ("Enter", "write in the room"),
        ]),
      .init(
        "Program",
        [
          ("N", "your name"), ("o", "go offline, online"), ("R", "what the server refused"),
          ("x", "try to connect now"),
          ("^Z", "suspend"), ("q, ^C", "quit"),
        ]),
      .init("Marks", [("…", "written here"), ("✓", "on the server"), ("✓✓", "read by another member")]),
    ])

  /// The list of what was refused.
  var refusalOverlay: HelpOverlay {
    HelpOverlay(
      title: "Refused by the server",
      sections: [.init("Undone on this device, too", refusals.map { ($0.title.truncated(to: 30), $0.reason) })])
  }
}

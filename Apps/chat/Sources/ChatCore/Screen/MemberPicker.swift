import TerminalUI

/// A choice of somebody to add to a private room: words that a name or an id contains, the people found, and the right they get.
struct MemberPicker: Equatable {
  var words = TextField()
  var list = ListState()
  var access = Access.write
  /// The reason for which nobody was chosen.
  var error: String?

  /// The people who may be added, those whose names begin with the words first: everybody in the directory who is no member.
  ///
  /// - Complexity: O(*n* log *n*) in the people of the directory.
  func candidates(in chat: ChatSnapshot, for room: Room) -> [Person] {
    let members = Set(room.members.map(\.id)).union([chat.me.id])
    let words = self.words.text.trimmingWhitespace.lowercased()
    let found = chat.people.filter { person in
      !members.contains(person.id)
        && (words.isEmpty || person.name.lowercased().contains(words) || person.id.lowercased().hasPrefix(words))
    }
    guard !words.isEmpty else { return found }
    let beginning = found.filter { $0.name.lowercased().hasPrefix(words) }
    return beginning + found.filter { !$0.name.lowercased().hasPrefix(words) }
  }

  /// The reason for which nobody is found.
  func explanation(in chat: ChatSnapshot, for room: Room) -> String {
    if let person = chat.person(words.text.trimmingWhitespace) { return "\(person.name) is a member already" }
    return words.text.isEmpty ? "everybody is a member already" : "nobody has this name"
  }

  /// Moves to the next right, after the last one to the first.
  mutating func turnAccess() {
    let all = Access.allCases, index = all.firstIndex(of: access) ?? 0
    access = all[(index + 1) % all.count]
  }

  /// The right that is given, in words.
  var right: String {
    switch access {
    case .read: "read"
    case .write: "read and write"
    case .manage: "administrate"
    }
  }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}

extension ChatScreen {
  /// A key while somebody is chosen.
  mutating func pick(_ key: Key, _ picker: MemberPicker, _ roomKey: String) -> [ProgramAction<Effect>] {
    guard let room = chat.room(roomKey) else {
      mode = .browsing
      return []
    }
    var picker = picker
    picker.error = nil
    let candidates = picker.candidates(in: chat, for: room)
    switch key {
    case .escape, .control("c"):
      mode = .members(ListState(), room: roomKey)
      return []
    case .enter, .control("s"):
      guard candidates.indices.contains(picker.list.selected) else {
        picker.error = picker.explanation(in: chat, for: room)
        mode = .inviting(picker, room: roomKey)
        return [.bell]
      }
      mode = .members(ListState(), room: roomKey)
      return perform(
        .setAccess(room: roomKey, user: candidates[picker.list.selected].id, picker.access))
    case .tab, .backTab: picker.turnAccess()
    case .up, .down, .pageUp, .pageDown:
      _ = picker.list.handle(key, count: candidates.count, rows: pickerRows)
    default:
      let before = picker.words.text
      _ = picker.words.handle(key)
      if picker.words.text != before { picker.list = ListState() }
    }
    mode = .inviting(picker, room: roomKey)
    return []
  }

  /// The people that fit between the line of words and the line of keys.
  private var pickerRows: Int { max(1, min(12, size.rows - 6)) }

  func draw(_ picker: MemberPicker, _ roomKey: String, on canvas: inout Canvas) {
    guard let room = chat.room(roomKey) else { return }
    let people = picker.candidates(in: chat, for: room)
    let rows = max(1, min(people.count, pickerRows)) + 5
    let box = canvas.bounds.centered(rows: min(rows, canvas.size.rows), columns: min(56, canvas.size.columns))
    canvas.hideCursor()
    canvas.within(box) { canvas in
      canvas.fill()
      canvas.frame(title: "Add a member")
      let parts = canvas.bounds.inset(rows: 1, columns: 1).split(rows: .cells(1), .share(1), .cells(1), .cells(1))
      canvas.within(parts[0]) { canvas in
        canvas.write("Who: ", row: 0, style: .plain.bold)
        canvas.within(Rect(row: 0, column: 5, rows: 1, columns: max(1, canvas.size.columns - 5))) {
          picker.words.draw(on: &$0, isFocused: true, hint: "a part of the name")
        }
      }
      canvas.within(parts[1]) { canvas in
        guard people.isEmpty else { return draw(people, picker.list, on: &canvas) }
        let style: Style = picker.error == nil ? .dim : .plain.foreground(.red)
        canvas.write(picker.explanation(in: chat, for: room), row: 0, style: style, ellipsis: true)
      }
      canvas.within(parts[2]) { canvas in
        canvas.write("may \(picker.right) in '\(room.name)', the whole history included", row: 0, ellipsis: true)
      }
      canvas.within(parts[3]) { canvas in
        canvas.write("↑ ↓ choose  Tab rights  Enter add  Esc", row: 0, style: .dim, ellipsis: true)
      }
    }
  }

  private func draw(_ people: [Person], _ list: ListState, on canvas: inout Canvas) {
    var list = list
    list.settle(count: people.count, rows: canvas.size.rows)
    canvas.list(list, count: people.count) { row, isSelected, canvas in
      guard people.indices.contains(row) else { return }
      let style = isSelected ? Style.reverse : .plain
      if isSelected { canvas.fill(style: style) }
      // Names are chosen by those who have them: the beginning of the id tells two of one name apart.
      let person = people[row], ident = String(person.id.prefix(8))
      canvas.write(person.name, row: 0, style: style, width: max(1, canvas.size.columns - 10), ellipsis: true)
      canvas.write(ident, row: 0, endingAt: canvas.size.columns, style: isSelected ? style : .dim)
    }
  }
}

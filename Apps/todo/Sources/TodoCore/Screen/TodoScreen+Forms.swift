import Foundation
import TerminalUI

extension TodoScreen {
  private static let priorities = ["none"] + (1...26).map { Priority.letter($0) }

  func editingForm(_ fields: ItemFields) -> Form {
    Form(
      title: "Edit",
      fields: [
        .init("Title", .text(TextField(fields.title))),
        .init("Priority", .choice(Self.priorities, selected: max(0, min(26, fields.priority)))),
        .init("Due", .text(TextField(fields.due?.text ?? "")), hint: "2026-11-21, tomorrow, +3, fri"),
        .init("Notes", .area(TextArea(fields.notes))),
      ])
  }

  mutating func edit(_ key: Key, _ form: Form, _ item: String, _ old: ItemFields) -> [ProgramAction<Effect>] {
    var form = form
    let outcome = form.handle(key)
    mode = outcome == .cancelled ? .browsing : .editing(form, key: item, old)
    guard outcome == .submitted else { return [] }

    var fields = old
    // Only touched fields are written: the others may hold newer values of another user.
    if form.fields[0].text != TextField(old.title).text { fields.title = form.fields[0].text }
    if form.fields[3].text != TextArea(old.notes).text { fields.notes = form.fields[3].text }
    if case .choice(_, let selected) = form.fields[1].content { fields.priority = selected }
    let due = form.fields[2].text.trimmingCharacters(in: .whitespaces)
    if due != old.due?.text ?? "" {
      fields.due = Day(typed: due, today: today)
      if fields.due == nil, !due.isEmpty { form.fields[2].error = "not a date; try 2026-11-21, tomorrow, +3 or fri" }
    }
    if fields.title.allSatisfy(\.isWhitespace) { form.fields[0].error = "a title is needed" }
    if let wrong = form.fields.firstIndex(where: { $0.error != nil }) {
      form.focus = wrong
      mode = .editing(form, key: item, old)
      return [.bell]
    }
    if let refusal = readOnly() {
      // The form keeps the typed text.
      if let rule = status.access?.rule { form.fields[0].error = rule }
      mode = .editing(form, key: item, old)
      return refusal
    }
    mode = .browsing
    guard board.item(item) != nil else {
      notice = ("somebody else deleted the item; saved as a new one", true)
      return addItem(fields)
    }
    let changes = FieldChange.changes(from: old, to: fields)
    return changes.isEmpty ? [] : perform(.changeItem(key: item, changes, ifUnchanged: false), "edit '\(old.title)'")
  }

  static func sharingForm() -> Form {
    Form(
      title: "Share all lists with another user",
      fields: [
        .init("User", .text(TextField()), hint: "name"),
        .init("May", .choice(Access.allCases.map(\.rawValue), selected: 1)),
      ])
  }

  mutating func share(_ key: Key, _ form: Form) -> [ProgramAction<Effect>] {
    var form = form
    let outcome = form.handle(key)
    mode = outcome == .cancelled ? .browsing : .sharing(form)
    guard outcome == .submitted else { return [] }
    let user = form.fields[0].text.trimmingCharacters(in: .whitespaces)
    guard !user.isEmpty, let access = Access(rawValue: form.fields[1].text) else {
      form.fields[0].error = "a user is needed"
      mode = .sharing(form)
      return [.bell]
    }
    mode = .browsing
    notice = ("sharing with \(user)…", false)
    return [.perform(.share(user: user, access))]
  }

  static let help = HelpOverlay(
    title: "Keys",
    sections: [
      .init(
        "Items",
        [
          ("a", "add; words such as (A), due:fri as in todo.txt"), ("Enter, e", "edit"),
          ("Space, x", "complete, reopen"),
          ("K, J", "move up, down (or Shift with arrows)"), ("m", "move to another list, or a new one"),
          ("p, 0 to 3", "priority: next, none, A, B, C"), ("d", "delete"),
          ("v, V", "mark, mark all: then x, p, d and m act on all marked"),
        ]),
      .init(
        "Lists",
        [
          ("Tab, ← →", "from lists to items and back"), ("L", "new list"), ("e, d", "rename, delete (in the lists)"),
          ("s", "share with another user"), ("w", "whose lists, who has access, who is here"),
        ]),
      .init(
        "View",
        [
          ("↑ ↓, j k", "select; also Page Up, Page Down, Home, End, g, G"), ("/", "filter by words; Esc shows all"),
          ("f", "all, open, done"), ("t", "sort: own order, by due date, by priority"),
          ("A, O", "items of all lists; what is overdue"), ("S", "search in all lists"), ("u, ^R", "undo, do again"),
        ]),
      .init(
        "Program",
        [
          ("o", "go offline, online"), ("R", "what the server refused"), ("!", "the last error in full"),
          ("r", "try to connect now"),
          ("^L", "draw anew"), ("^Z", "suspend"),
          ("q", "quit"),
        ]),
    ])
}

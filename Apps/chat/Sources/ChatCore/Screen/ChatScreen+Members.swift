import Foundation
import TerminalUI

/// New rooms, and the members of private ones.
extension ChatScreen {
  static func roomForm() -> Form {
    Form(
      title: "New room",
      fields: [
        .init("Name", .text(TextField())),
        .init("Kind", .choice(["public", "private"], selected: 0)),
      ])
  }

  mutating func createRoom(_ key: Key, _ form: Form) -> [ProgramAction<Effect>] {
    var form = form
    let outcome = form.handle(key)
    mode = outcome == .cancelled ? .browsing : .creatingRoom(form)
    guard outcome == .submitted else { return [] }
    guard let name = Keys.name(form.fields[0].text) else { return reject(&form, "a name is needed") }
    let isPrivate = form.fields[1].text == "private"
    var random = Numbers(next: nextNumber)
    let roomKey = isPrivate ? Keys.random(using: &random) : Keys.publicRoom(named: name)
    mode = .browsing
    focus = .input
    if chat.room(roomKey) != nil { return open(roomKey) }
    let actions = perform(.createRoom(key: roomKey, name: name, isPrivate: isPrivate))
    return actions + open(roomKey)
  }

  private mutating func reject(_ form: inout Form, _ error: String) -> [ProgramAction<Effect>] {
    form.fields[0].error = error
    form.focus = 0
    mode = .creatingRoom(form)
    return [.bell]
  }

  mutating func showMembers() -> [ProgramAction<Effect>] {
    guard let room else { return [] }
    guard room.isPrivate else { return fail("\(EditError.roomIsPublic(room.name))") }
    mode = .members(ListState(), room: room.key)
    return []
  }

  mutating func handleMembers(_ key: Key, _ state: ListState, _ roomKey: String) -> [ProgramAction<Effect>] {
    guard let room = chat.room(roomKey) else { return [] }
    var state = state
    if state.handle(key, count: room.members.count, rows: max(1, size.rows - 6)) {
      mode = .members(state, room: roomKey)
      return []
    }
    switch key {
    case .escape, .control("c"), .character("q"), .enter: mode = .browsing
    case .character("a"), .character("n"):
      guard room.access == .manage else { return fail("\(EditError.mayNotManage(room.name))") }
      mode = .inviting(MemberPicker(), room: roomKey)
    default: return changeMember(key, state, room)
    }
    return []
  }

  private mutating func changeMember(_ key: Key, _ state: ListState, _ room: Room) -> [ProgramAction<Effect>] {
    guard room.members.indices.contains(state.selected) else { return [] }
    let member = room.members[state.selected]
    let name = chat.name(of: member.id)
    switch key {
    case .left, .right:
      // From the least right to the greatest, and no further: one key too many makes no administrator of a reader.
      let all = Access.allCases
      let index = (all.firstIndex(of: member.access) ?? 0) + (key == .left ? -1 : 1)
      guard all.indices.contains(index) else { return [] }
      return perform(.setAccess(room: room.key, user: member.id, all[index]))
    case .character("d"), .delete:
      let edit = ChatEdit.setAccess(room: room.key, user: member.id, nil)
      return confirm("Revoke", "\(name) loses the room with everything in it.", edit)
    case .character("t"):
      let edit = ChatEdit.passAdministration(room: room.key, to: member.id)
      return confirm("Pass on", "\(name) becomes the administrator of '\(room.name)', and you go on writing.", edit)
    default: return []
    }
  }

  private mutating func confirm(_ title: String, _ message: String, _ edit: ChatEdit) -> [ProgramAction<Effect>] {
    do {
      try edit.check(on: chat)
    } catch {
      return fail("\(error)")
    }
    mode = .confirming(Dialog(title: title, message: message, answers: ["Keep", title]), edit)
    return []
  }
}

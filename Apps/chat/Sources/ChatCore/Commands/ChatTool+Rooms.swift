import CommandLineKit

extension ChatTool {
  static let json = CommandOption.flag("json", short: "j", help: "Print JSON.")

  var rooms: Command {
    Command("rooms", summary: "Print the rooms that you may see.", options: [Self.json]) { invocation, console in
      try withStore(invocation) { store in
        let chat = try refresh(store, invocation, console)
        guard !invocation.flag("json") else {
          return console.print(json: .array(chat.rooms.map { ChatReport.json($0, in: chat) }))
        }
        guard !chat.rooms.isEmpty else { return console.print("no rooms yet; 'chat create-room' makes one") }
        console.print(
          TextTable(
            columns: [
              .init("room", shrinks: true), .init("kind"), .init("you may"), .init("members", alignsRight: true),
              .init("unread", alignsRight: true),
            ],
            rows: chat.rooms.map { room in
              [
                room.name, room.isPrivate ? "private" : "public", room.access.rawValue,
                room.isPrivate ? String(room.members.count) : "all", room.unread > 0 ? String(room.unread) : "",
              ]
            }))
      }
    }
  }

  var createRoom: Command {
    Command(
      "create-room", summary: "Make a room.",
      options: [.flag("private", help: "Only members see it; you administrate it."), Self.json],
      arguments: [.one("name", kind: .nonEmptyText, help: "The name of the room.")]
    ) { invocation, console in
      guard let name = Keys.name(invocation.argument("name") ?? "") else {
        throw UsageError(invocation, "the room has no name")
      }
      let isPrivate = invocation.flag("private")
      try withStore(invocation) { store in
        _ = try refresh(store, invocation, console)
        var random = numbers()
        let key = isPrivate ? Keys.random(using: &random) : Keys.publicRoom(named: name)
        try perform(.createRoom(key: key, name: name, isPrivate: isPrivate), store, invocation, console) { state in
          guard !invocation.flag("json") else {
            return console.print(
              json: .object([
                ("key", .text(key)), ("name", .text(name)), ("private", .boolean(isPrivate)),
                ("sent", .boolean(state == .done)),
              ]))
          }
          console.print("made the \(isPrivate ? "private" : "public") room '\(name)'\(state.note)")
        }
      }
    }
  }

  var people: Command {
    Command("people", summary: "Print the people of the chat.", options: [Self.json]) { invocation, console in
      try withStore(invocation) { store in
        let chat = try refresh(store, invocation, console)
        guard !invocation.flag("json") else {
          return console.print(
            json: .array(chat.people.map { .object([("id", .text($0.id)), ("name", .text($0.name))]) }))
        }
        console.print(
          TextTable(
            columns: [.init("name", shrinks: true), .init("id")], rows: chat.people.map { [$0.name, $0.id] }))
      }
    }
  }
}

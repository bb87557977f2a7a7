import CommandLineKit

extension ChatTool {
  private static let room = CommandArgument.one("room", kind: .nonEmptyText, help: "The name or key of the room.")
  private static let person = CommandArgument.one("person", kind: .nonEmptyText, help: "The name or id of the person.")
  private static let rights: [CommandOption] = [
    .flag("read", help: "May read."),
    .flag("write", help: "May read and write (this is the default)."),
    .flag("manage", help: "May also change who is a member."), ChatTool.json,
  ]

  private func access(_ invocation: Invocation) throws -> Access {
    let chosen = Access.allCases.filter { invocation.flag($0.rawValue) }
    guard chosen.count <= 1 else {
      throw UsageError(
        invocation, "\(chosen.map { "'--\($0.rawValue)'" }.joined(separator: " and ")) exclude each other")
    }
    return chosen.first ?? .write
  }

  var members: Command {
    Command(
      "members", summary: "Print who may do what in a private room.", options: [Self.json], arguments: [Self.room]
    ) { invocation, console in
      try withStore(invocation) { store in
        let chat = try refresh(store, invocation, console)
        let room = try RoomSelector.room(invocation.argument("room") ?? "", in: chat)
        guard !invocation.flag("json") else {
          return console.print(json: .array(room.members.map { ChatReport.json($0, in: chat) }))
        }
        guard room.isPrivate else { return console.print("'\(room.name)' is public: everyone is a member") }
        console.print(
          TextTable(
            columns: [.init("member", shrinks: true), .init("may")],
            rows: room.members.map { [chat.name(of: $0.id), $0.access.rawValue] }))
      }
    }
  }

  var invite: Command {
    Command(
      "invite", summary: "Make somebody a member of a private room.",
      discussion: "The new member sees the whole history.", options: Self.rights,
      arguments: [Self.room, Self.person]
    ) { invocation, console in
      let access = try access(invocation)
      try change(invocation, console) { store, room, chat in
        // The lists of pages are changed where the pages are.
        try store.wholeHistory(of: room.key)
        _ = try refresh(store, invocation, console)
        let person = try RoomSelector.person(invocation.argument("person") ?? "", in: chat)
        return (
          .setAccess(room: room.key, user: person.id, access),
          "\(person.name) may now \(access.rawValue) in '\(room.name)'"
        )
      }
    }
  }

  var grant: Command {
    Command(
      "grant", summary: "Change what a member may do.", options: Self.rights, arguments: [Self.room, Self.person]
    ) { invocation, console in
      let access = try access(invocation)
      try change(invocation, console) { _, room, chat in
        let person = try RoomSelector.person(invocation.argument("person") ?? "", in: chat)
        guard room.members.contains(where: { $0.id == person.id }) else { throw EditError.noMember(person.name) }
        return (
          .setAccess(room: room.key, user: person.id, access),
          "\(person.name) may now \(access.rawValue) in '\(room.name)'"
        )
      }
    }
  }

  var revoke: Command {
    Command(
      "revoke", summary: "Take a private room away from a member.", options: [Self.json],
      arguments: [Self.room, Self.person]
    ) { invocation, console in
      try change(invocation, console) { _, room, chat in
        let person = try RoomSelector.person(invocation.argument("person") ?? "", in: chat)
        return (
          .setAccess(room: room.key, user: person.id, nil), "\(person.name) is no member of '\(room.name)' any more"
        )
      }
    }
  }

  var pass: Command {
    Command(
      "pass", summary: "Pass the administration of a private room on; you go on writing.", options: [Self.json],
      arguments: [Self.room, Self.person]
    ) { invocation, console in
      try change(invocation, console) { _, room, chat in
        let person = try RoomSelector.person(invocation.argument("person") ?? "", in: chat)
        return (
          .passAdministration(room: room.key, to: person.id), "\(person.name) administrates '\(room.name)' now"
        )
      }
    }
  }

  private func change(
    _ invocation: Invocation, _ console: Console,
    _ edit: (any ChatStore, Room, ChatSnapshot) throws -> (ChatEdit, ConsoleText)
  ) throws {
    try withStore(invocation) { store in
      let (chat, room) = try open(invocation.argument("room") ?? "", store, invocation, console)
      let (edit, success) = try edit(store, room, chat)
      try perform(edit, store, invocation, console) { state in
        guard !invocation.flag("json") else {
          return console.print(json: ChatReport.json(changed: edit, isSent: state == .done))
        }
        console.print(success + state.note)
      }
    }
  }
}

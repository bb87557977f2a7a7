import CommandLineKit

extension ChatTool {
  var settings: Command {
    Command(
      "settings", summary: "Print or change what you keep about a room, on all your devices.",
      options: [
        .value("pin", valueName: "YES", kind: .boolean, help: "Keep the room at the top."),
        .value("colour", valueName: "0-7", kind: .integer(0...7), help: "Your colour for the room; 0 for none."),
        .value("draft", valueName: "TEXT", help: "What you have begun to write there."),
        .value("name", valueName: "NAME", kind: .nonEmptyText, help: "Your name, as others see it."), Self.json,
      ],
      arguments: [.optional("room", kind: .nonEmptyText, help: "The name or key of the room.")]
    ) { invocation, console in
      try withStore(invocation) { store in
        var chat = try refresh(store, invocation, console)
        let room = try invocation.argument("room").map { try RoomSelector.room($0, in: chat) }
        let edits = try Self.edits(invocation, room)
        for edit in edits { try store.perform(edit) }
        if !edits.isEmpty {
          try waitForUpload(store, invocation, console)
          chat = try store.snapshot()
        }
        let rooms = room.map { room in chat.rooms.filter { $0.key == room.key } } ?? chat.rooms
        guard !invocation.flag("json") else {
          return console.print(
            json: .object([
              ("id", .text(chat.me.id)), ("name", .text(chat.me.name)),
              ("rooms", .array(rooms.map { ChatReport.json($0, in: chat) })),
            ]))
        }
        console.print("you are \(chat.me.name), id \(chat.me.id)")
        console.print(
          TextTable(
            columns: [.init("room", shrinks: true), .init("pinned"), .init("colour"), .init("draft", shrinks: true)],
            rows: rooms.map { [$0.name, $0.isPinned ? "yes" : "", $0.colour > 0 ? String($0.colour) : "", $0.draft] }))
      }
    }
  }

  private static func edits(_ invocation: Invocation, _ room: Room?) throws -> [ChatEdit] {
    var edits: [ChatEdit] = []
    if let name = invocation.text("name") { edits.append(.rename(Keys.name(name) ?? "")) }
    let concernsRoom = ["pin", "colour", "draft"].contains { invocation.text($0) != nil }
    guard let room else {
      guard !concernsRoom else {
        throw UsageError(invocation, "which room? '--pin', '--colour' and '--draft' concern one")
      }
      return edits
    }
    if let text = invocation.text("pin") {
      edits.append(.pin(room: room.key, isPinned: ["1", "true", "yes", "on"].contains(text.lowercased())))
    }
    if let colour = invocation.integer("colour") { edits.append(.colour(room: room.key, colour)) }
    if let text = invocation.text("draft") { edits.append(.keepDraft(room: room.key, text: text)) }
    return edits
  }

  var login: Command {
    Command(
      "login", summary: "Log in to a server, from now on.",
      discussion: "The password is asked for, or read from standard input, or taken from REALM_PASSWORD.",
      options: [.flag("register", help: "Make the user first.")]
    ) { invocation, console in
      let options = options(invocation)
      let backend = try backend(options)
      try backend.checkLogin()
      let given = options.environment["REALM_PASSWORD"] ?? ""
      let password = given.isEmpty ? try console.readPassword("Password: ") : given
      let account = try backend.login(password: password, register: invocation.flag("register"))
      console.print("logged in as \(account)")
    }
  }

  var logout: Command {
    Command("logout", summary: "Log out, and remove the rooms from this machine.") { invocation, console in
      try backend(options(invocation)).logout()
      console.print("logged out")
    }
  }

  var offline: Command {
    Command("offline", summary: "Stop syncing until 'chat online'.") { invocation, console in
      try backend(options(invocation)).setOffline(true)
      console.print("offline; what you write stays on this machine until 'chat online'")
    }
  }

  var online: Command {
    Command("online", summary: "Sync again, and wait until everything is sent.") { invocation, console in
      try backend(options(invocation)).setOffline(false)
      try withStore(invocation) { store in
        guard try waitForUpload(store, invocation, console) else { return }
        _ = try refresh(store, invocation, console)
        let refusals = store.status.refusals
        for refusal in refusals {
          let what = refusal.post.map { "'\($0.body)'" } ?? "a change of \(refusal.kind)"
          console.note("note: the server refused \(what): \(refusal.reason)")
        }
        guard refusals.isEmpty else { throw CommandFailure("the server refused something that was written offline") }
        console.print("online; \(store.status.text)")
      }
    }
  }

  var status: Command {
    Command("status", summary: "Print who is logged in and how syncing goes.", options: [Self.json]) {
      invocation, console in
      try withStore(invocation) { store in
        _ = store.wait(for: .download, seconds: min(2, seconds(invocation)), isPatient: false)
        let (status, chat) = (store.status, try store.snapshot())
        guard invocation.flag("json") else {
          console.print("\(status.account): \(status.text), \(chat.unread) unread")
          if let problem = status.problem { console.print("\(problem.message): \(problem.remedy)") }
          return
        }
        console.print(
          json: .object([
            ("account", .text(status.account)), ("id", .text(chat.me.id)),
            ("connection", .text(status.connection.rawValue)),
            ("pendingUploads", .integer(status.pendingUploads)), ("unread", .integer(chat.unread)),
            ("problem", status.problem.map { .text($0.message) } ?? .null),
            (
              "refused",
              .array(
                status.refusals.map {
                  .object([
                    ("kind", .text($0.kind)), ("reason", .text($0.reason)),
                    ("body", $0.post.map { .text($0.body) } ?? .null),
                  ])
                })
            ),
          ]))
      }
    }
  }

  var lockdown: Command {
    Command(
      "lockdown", summary: "Open the chat to everyone, and take from them what it does not need; for administrators.",
      discussion: """
        Run it once, as an administrator of the server, before anybody uses the chat: it makes the realms, lets everyone \
        write in them, and restricts what is possible inside. A second run changes nothing.
        """,
      options: [Self.json]
    ) { invocation, console in
      try withStore(invocation) { store in
        let rules = try store.lockDown(seconds: seconds(invocation))
        guard !invocation.flag("json") else {
          return console.print(
            json: .array(
              rules.map { rule in
                .object([
                  ("class", rule.className.map { .text($0) } ?? .null),
                  ("withdrawn", .array(rule.losses.map { .text($0.rawValue) })), ("reason", .text(rule.reason)),
                ])
              }))
        }
        console.print(
          TextTable(
            columns: [.init("class"), .init("everyone loses", shrinks: true), .init("because", shrinks: true)],
            rows: rules.map { rule in
              [rule.className ?? "the realm", rule.losses.map(\.rawValue).joined(separator: ", "), rule.reason]
            }))
      }
    }
  }
}

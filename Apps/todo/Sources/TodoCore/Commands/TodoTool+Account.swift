import CommandLineKit
import TextWidth

extension TodoTool {
  var share: Command {
    Command(
      "share", summary: "Let another user use your lists.",
      discussion: "The other user then opens them with 'todo --of YOU'.",
      options: [
        .flag("read", help: "May read."),
        .flag("write", help: "May read and change (this is the default)."),
        .flag("manage", help: "May also share with others."),
        .flag("revoke", help: "May nothing any more."),
      ],
      arguments: [.one("other", kind: .nonEmptyText, help: "The name of the other user.")]
    ) { invocation, console in
      let chosen = ["read", "write", "manage", "revoke"].filter { invocation.flag($0) }
      guard chosen.count <= 1 else {
        throw UsageError(invocation, "\(chosen.map { "'--\($0)'" }.joined(separator: " and ")) exclude each other")
      }
      let access = chosen == ["revoke"] ? nil : Access(rawValue: chosen.first ?? "write")
      let other = invocation.argument("other") ?? ""
      try withStore(invocation) { store in
        try waitForUpload(store, invocation, console)
        try store.sharing()(other, access)
        console.print(
          access.map { "\(other) may now \($0.rawValue) your lists" } ?? "your lists are no longer shared with \(other)"
        )
      }
    }
  }

  var who: Command {
    Command(
      "who", summary: "Print whose lists these are, who has access, and who is here now.",
      discussion:
        "Those with whom lists are shared see who is here; what others may do is told to those who may share.",
      options: [.flag("json", short: "j", help: "Print JSON.")]
    ) { invocation, console in
      try withStore(invocation) { store in
        let users = try store.asking()()
        guard invocation.flag("json") else {
          let width = users.map { $0.name.count }.max() ?? 0
          for user in users { console.print("\(user.name.padded(to: width))  \(user.state)") }
          return
        }
        console.print(
          json: .object([
            (
              "users",
              .array(
                users.map { user in
                  .object([
                    ("name", .text(user.name)), ("access", user.access.map { .text($0.rawValue) } ?? .null),
                    ("sessions", .integer(user.sessions)), ("owner", .boolean(user.isOwner)),
                    ("you", .boolean(user.isSelf)),
                  ])
                })
            )
          ]))
      }
    }
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
    Command("logout", summary: "Log out. Lists stay on this machine.") { invocation, console in
      try backend(options(invocation)).logout()
      console.print("logged out")
    }
  }

  var offline: Command {
    Command("offline", summary: "Stop syncing until 'todo online'.") { invocation, console in
      try backend(options(invocation)).setOffline(true)
      console.print("offline; changes stay on this machine until 'todo online'")
    }
  }

  var online: Command {
    Command("online", summary: "Sync again, and wait until both sides are equal.") { invocation, console in
      try backend(options(invocation)).setOffline(false)
      try withStore(invocation) { store in
        if try synchronize(store, invocation, console) { console.print("online; \(store.status.text)") }
      }
    }
  }

  var sync: Command {
    Command("sync", summary: "Wait until this machine and the server are equal.") { invocation, console in
      try withStore(invocation) { store in
        switch store.status.connection {
        case .local: throw CommandFailure("nobody is logged in", remedy: "run 'todo login --server URL --user NAME'")
        case .offline: throw CommandFailure("syncing is switched off", remedy: "run 'todo online'")
        default: break
        }
        guard try synchronize(store, invocation, console) else { throw CommandFailure("not everything is synced yet") }
        console.print("\(store.status.text)")
      }
    }
  }

  /// Uploads and downloads; answers whether both were finished in time.
  private func synchronize(_ store: any SyncedStore, _ invocation: Invocation, _ console: Console) throws -> Bool {
    let seconds = invocation.number("wait") ?? 5
    for direction in [WaitDirection.upload, .download] {
      switch store.wait(for: direction, seconds: seconds, isPatient: true) {
      case .done: continue
      case .notSyncing: return true
      case .disconnected:
        console.note("note: the server cannot be reached; everything stays on this machine until it can")
        return false
      case .notServed(let problem):
        console.note("note: \(problem.message); everything stays on this machine\n  to do: \(problem.remedy)")
        return false
      case .timedOut:
        console.note(
          "note: not finished after \(seconds) s; it goes on when 'todo' runs again, or wait longer with '--wait'")
        return false
      case .failed(let problem): throw CommandFailure(problem.message, remedy: problem.remedy)
      }
    }
    return true
  }

  var status: Command {
    Command(
      "status", summary: "Print who is logged in and how syncing goes.",
      options: [.flag("json", short: "j", help: "Print JSON.")]
    ) {
      invocation, console in
      try withStore(invocation) { store in
        store.accessCheck()()
        _ = store.wait(for: .download, seconds: min(2, invocation.number("wait") ?? 2), isPatient: false)
        let status = store.status
        guard invocation.flag("json") else {
          console.print(status.account.isEmpty ? "\(status.text)" : "\(status.account): \(status.text)")
          if let access = status.access, !access.mayEdit { console.print("\(access.rule)") }
          if let problem = status.problem { console.print("\(problem.message): \(problem.remedy)") }
          return
        }
        console.print(
          json: .object([
            ("account", status.account.isEmpty ? .null : .text(status.account)),
            ("connection", .text("\(status.connection)")),
            ("pendingUploads", .integer(status.pendingUploads)),
            ("problem", status.problem.map { .text($0.message) } ?? .null),
            ("access", status.access.map { .text($0.level.rawValue) } ?? .null),
            (
              "refused",
              .array(
                status.refused.map {
                  .object([("kind", .text($0.kind)), ("key", .text($0.key)), ("reason", .text($0.reason))])
                })
            ),
          ]))
      }
    }
  }
}

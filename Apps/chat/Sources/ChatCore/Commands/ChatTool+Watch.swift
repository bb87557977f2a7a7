import CommandLineKit
import Dispatch

extension ChatTool {
  var watch: Command {
    Command(
      "watch", summary: "Print new messages of a room as they come, until interrupted.",
      options: [
        .value("count", valueName: "N", kind: .integer(1...Int.max), help: "Stop after so many messages."),
        .flag("all", help: "Begin with the messages that are there."), Self.json,
      ],
      arguments: [.one("room", kind: .nonEmptyText, help: "The name or key of the room.")]
    ) { invocation, console in
      try withStore(invocation) { store in
        let changed = DispatchSemaphore(value: 0)
        store.onChange { changed.signal() }
        var (chat, room) = try open(invocation.argument("room") ?? "", store, invocation, console)
        var seen = invocation.flag("all") ? [] : Set(chat.messages.map(\.key))
        var printed = 0
        while true {
          for message in chat.messages where seen.insert(message.key).inserted {
            if invocation.flag("json") {
              console.print(json: ChatReport.json(message, room: room.key, in: chat))
            } else {
              console.print(ChatReport.text(message, in: chat, zone: zone, console: console))
            }
            printed += 1
            if let count = invocation.integer("count"), printed >= count { return }
          }
          changed.wait()
          // Changes that came together are read once.
          while changed.wait(timeout: .now()) == .success {}
          chat = try store.snapshot()
          guard chat.room(room.key) != nil else { throw EditError.roomIsGone }
        }
      }
    }
  }
}

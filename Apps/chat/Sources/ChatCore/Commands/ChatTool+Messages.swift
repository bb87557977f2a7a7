import CommandLineKit
import Foundation

extension ChatTool {
  private static let room = CommandArgument.one("room", kind: .nonEmptyText, help: "The name or key of the room.")

  var send: Command {
    Command(
      "send", summary: "Say something in a room.",
      discussion: "Without words the message is read from standard input.",
      options: [
        .value(
          "reply", valueName: "MESSAGE", kind: .nonEmptyText, help: "The key of the message to answer, or 'last'."),
        Self.json,
      ],
      arguments: [Self.room, .many("word", atLeastOne: false, help: "The words of the message.")]
    ) { invocation, console in
      try withStore(invocation) { store in
        let (chat, room) = try open(invocation.argument("room") ?? "", store, invocation, console)
        let words = invocation.arguments("word").joined(separator: " ")
        let text = words.isEmpty ? String(decoding: try readInput(), as: UTF8.self) : words
        guard let body = Keys.body(text) else { throw EditError.nothingToSend }
        let answered = try invocation.text("reply").map { try RoomSelector.message($0, in: chat).key }
        var random = numbers()
        let post = Post(key: Keys.random(using: &random), room: room.key, body: body, replyTo: answered, sent: now())
        try perform(.send(post), store, invocation, console) { state in
          guard !invocation.flag("json") else {
            let message = try store.snapshot().message(post.key)
            return console.print(
              json: .object([
                ("key", .text(post.key)), ("room", .text(room.key)), ("sent", .boolean(state == .done)),
                ("delivery", .text((message?.delivery ?? .written).rawValue)),
              ]))
          }
          console.print("said in '\(room.name)'\(state.note)")
        }
      }
    }
  }

  var read: Command {
    Command(
      "read", summary: "Print the messages of a room, oldest first.",
      options: [
        .value(
          "count", short: "n", valueName: "N", kind: .integer(1...100_000), help: "The number of messages.",
          defaultValue: "50"),
        .flag("mark", help: "Count them as read."), Self.json,
      ],
      arguments: [Self.room]
    ) { invocation, console in
      try withStore(invocation) { store in
        var (chat, room) = try open(invocation.argument("room") ?? "", store, invocation, console)
        let count = invocation.integer("count") ?? 50
        while chat.messages.count < count, chat.hasOlder, try store.older() {
          let before = chat.messages.count
          chat = try refresh(store, invocation, console)
          guard chat.messages.count > before else { break }
        }
        let messages = chat.messages.suffix(count)
        if invocation.flag("json") {
          console.print(json: .array(messages.map { ChatReport.json($0, room: room.key, in: chat) }))
        } else if messages.isEmpty {
          console.print("nothing was said in '\(room.name)' yet")
        } else {
          for message in messages { console.print(ChatReport.text(message, in: chat, zone: zone, console: console)) }
        }
        if invocation.flag("mark"), let last = messages.last {
          try store.perform(.markRead(room: room.key, upTo: last.sent))
          try waitForUpload(store, invocation, console)
        }
      }
    }
  }

  var search: Command {
    Command(
      "search", summary: "Print the messages with some words, newest first, from all rooms that you may see.",
      options: [Self.json], arguments: [.many("word", kind: .nonEmptyText, help: "The words.")]
    ) { invocation, console in
      try withStore(invocation) { store in
        try store.search(invocation.arguments("word").joined(separator: " "))
        let chat = try refresh(store, invocation, console)
        let answer = chat.search ?? SearchAnswer(text: "", hits: [], isComplete: false)
        if !answer.isComplete { console.note("note: only messages on this machine were searched") }
        guard !invocation.flag("json") else {
          return console.print(
            json: .array(answer.hits.map { ChatReport.json($0.message, room: $0.room, in: chat) }))
        }
        if answer.hits.isEmpty { console.print("nothing with these words") }
        for hit in answer.hits {
          let name = chat.room(hit.room)?.name ?? hit.room
          console.print(
            "\(console.styled(name, .cyan)) \(ChatReport.text(hit.message, in: chat, zone: zone, console: console))")
        }
      }
    }
  }

  var react: Command {
    Command(
      "react", summary: "React to a message with one character.",
      options: [.flag("undo", help: "Take the reaction back."), Self.json],
      arguments: [
        Self.room, .one("message", kind: .nonEmptyText, help: "The key of the message, its beginning, or 'last'."),
        .one("emoji", kind: .nonEmptyText, help: "One character, such as 👍."),
      ]
    ) { invocation, console in
      let text = invocation.argument("emoji") ?? ""
      guard let emoji = Keys.reaction(text) else { throw UsageError(invocation, "\(EditError.noReaction(text))") }
      try withStore(invocation) { store in
        let (chat, room) = try open(invocation.argument("room") ?? "", store, invocation, console)
        let message = try RoomSelector.message(invocation.argument("message") ?? "", in: chat)
        let isOn = !invocation.flag("undo")
        try perform(
          .react(room: room.key, message: message.key, emoji: emoji, isOn: isOn), store, invocation, console
        ) { state in
          guard !invocation.flag("json") else {
            return console.print(
              json: .object([
                ("room", .text(room.key)), ("message", .text(message.key)), ("emoji", .text(emoji)),
                ("on", .boolean(isOn)), ("sent", .boolean(state == .done)),
              ]))
          }
          console.print("\(isOn ? "reacted with" : "took back") \(emoji)\(state.note)")
        }
      }
    }
  }
}

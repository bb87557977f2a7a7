import CommandLineKit
import Foundation

/// Rooms and messages as text and as JSON.
enum ChatReport {
  static func json(_ room: Room, in chat: ChatSnapshot) -> JSONOutput {
    .object([
      ("key", .text(room.key)), ("name", .text(room.name)), ("private", .boolean(room.isPrivate)),
      ("access", .text(room.access.rawValue)), ("unread", .integer(room.unread)),
      ("pinned", .boolean(room.isPinned)), ("colour", .integer(room.colour)), ("draft", .text(room.draft)),
      ("readUpTo", room.readUpTo.map { .text(Moment.text($0)) } ?? .null),
      ("members", .array(room.members.map { json($0, in: chat) })),
    ])
  }

  static func json(_ member: Member, in chat: ChatSnapshot) -> JSONOutput {
    .object([
      ("id", .text(member.id)), ("name", .text(chat.name(of: member.id))), ("access", .text(member.access.rawValue)),
    ])
  }

  /// A change of a member's right, null for none, and whether the server has it.
  static func json(changed edit: ChatEdit, isSent: Bool) -> JSONOutput {
    let (room, person, access): (String, String, Access?) =
      switch edit {
      case .setAccess(let room, let user, let access): (room, user, access)
      case .passAdministration(let room, let user): (room, user, .manage)
      default: ("", "", nil)
      }
    return .object([
      ("room", .text(room)), ("person", .text(person)), ("access", access.map { .text($0.rawValue) } ?? .null),
      ("sent", .boolean(isSent)),
    ])
  }

  static func json(_ message: Message, room: String, in chat: ChatSnapshot) -> JSONOutput {
    .object([
      ("key", .text(message.key)), ("room", .text(room)), ("author", .text(message.author)),
      ("name", .text(chat.name(of: message.author))), ("body", .text(message.body)),
      ("sent", .text(Moment.text(message.sent))), ("replyTo", message.replyTo.map { .text($0) } ?? .null),
      (
        "reactions",
        .array(
          message.reactions.map { .object([("emoji", .text($0.emoji)), ("author", .text($0.author))]) })
      ),
      ("delivery", .text(message.delivery.rawValue)),
    ])
  }

  /// A message for people: time, name and text, then reactions.
  static func text(
    _ message: Message, in chat: ChatSnapshot, zone: (Date) -> Int, console: Console
  ) -> ConsoleText {
    let time = Moment.time(message.sent, zone: zone(message.sent))
    let mark: ConsoleText = message.delivery == .written ? "…" : " "
    var line: ConsoleText =
      "\(console.styled(time, .dim))\(mark)\(console.styled(chat.name(of: message.author), .bold)): \(ConsoleText(lines: message.body, indent: 6))"
    if let key = message.replyTo {
      let answered = chat.message(key).map { "\(chat.name(of: $0.author)): \($0.body)" } ?? "a message that is not here"
      line = "\(console.styled("      ↳ " + answered.prefix(60), .dim))\n" + line
    }
    let counts = message.reactionCounts.map { "\($0.emoji) \($0.count)" as ConsoleText }
    if !counts.isEmpty { line += "\n      \(counts.joined(separator: "  "))" }
    return line
  }
}

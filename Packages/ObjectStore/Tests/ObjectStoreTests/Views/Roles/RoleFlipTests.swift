import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Ben writes to a room, which leaves his file and comes back before his upload arrives: the write is set back and told, or it is in his file.
@Suite("writes to objects that were sent anew before their upload")
struct RoleFlipTests {
  private typealias Chat = ChatScene

  private static func title(_ text: String) -> Instruction { Chat.set(Chat.room(1), "title", .string(text)) }

  /// A room that Ben reads by his own entry, which is taken away and given back, each seen by him; then something that makes it look as if he
  /// had read it all the time.
  private static func flipped(
    _ entries: [(String, Privileges)], last: [Instruction], before: [Instruction] = []
  ) throws -> Chat {
    var chat = try Chat()
    if !before.isEmpty { try chat.write(chat.full, before) }
    try chat.write(chat.ann, Chat.room(1, entries))
    try chat.network.write(chat.ben, [Self.title("mine")])
    let count = UInt32(entries.count)
    for edit in [
      [Chat.removal(from: Chat.room(1), "acl", at: 0, of: count)],
      [Chat.append(Chat.entry(10), to: Chat.room(1), "acl", of: count - 1)],
    ] {
      try chat.network.write(chat.full, edit)
      try chat.network.upload(chat.full)
      while try chat.network.download(chat.ben) {}
    }
    try chat.write(chat.full, oneByOne: [last])
    return chat
  }

  private static let entries: [(String, Privileges)] = [("__User:ben", .all), ("__User:ann", .all)]

  @Test("a role that the user got later")
  func laterRole() throws {
    _ = try Self.flipped(
      [("__User:ben", .all), ("team", [.read]), ("__User:ann", .all)],
      last: [Chat.append(Chat.user("ben"), to: Chat.role("team"), "members", of: 0)],
      before: [Chat.create(Chat.role("team"))])
  }

  @Test("an entry that is for everybody later")
  func laterEntry() throws {
    _ = try Self.flipped(Self.entries, last: [Chat.set(Chat.entry(11), "role", .link(Chat.role("everyone")))])
  }

  @Test("a link that a class got later")
  func laterLink() throws {
    _ = try Self.flipped(
      Self.entries, last: [LinkedRealm.column("Message", "room", .link, isNullable: true, to: "Room")])
  }

  @Test("an entry that a list named before it was there, and names no more", arguments: [false, true])
  func namedBefore(isRestarted: Bool) throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("everyone", .all)]))
    try chat.write(
      chat.full, [Chat.create(Chat.room(2)), Chat.append(Chat.entry(9), to: Chat.room(2), "acl", of: 0)])
    try chat.network.write(chat.ben, [Self.title("mine")])
    for edit in [[Chat.set(Chat.room(1), "pinned", .link(Chat.message(1)))], Chat.grant(9, to: "everyone", [.read])] {
      try chat.network.write(chat.full, edit)
      try chat.network.upload(chat.full)
    }
    while try chat.network.download(chat.ben) {}
    try chat.network.write(chat.full, [Chat.removal(from: Chat.room(2), "acl", at: 0, of: 1)])
    try chat.network.upload(chat.full)
    // The server forgets what it sent.
    if isRestarted { try chat.network.restart() }
    try chat.settle()
    #expect(try chat.rooms(chat.ben) == [1])
  }
}

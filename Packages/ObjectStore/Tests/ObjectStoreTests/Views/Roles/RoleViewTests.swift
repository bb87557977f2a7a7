import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("what roles let a file hold")
struct RoleViewTests {
  private typealias Chat = ChatScene

  private static let private12: [(String, Privileges)] = [("__User:ann", .all), ("__User:ben", [.read])]

  @Test("a private room is in the files of two of three users, with its messages")
  func privateRoom() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, Self.private12))
    #expect(try chat.rooms(chat.ann) == [1])
    #expect(try chat.rooms(chat.ben) == [1])
    #expect(try chat.messages(chat.ben) == [1])
    #expect(try chat.rooms(chat.cy) == [])
    #expect(try chat.messages(chat.cy) == [])
  }

  @Test("a revocation removes the room and its messages, a grant brings them")
  func revocation() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, Self.private12))
    try chat.write(chat.ann, [Chat.removal(from: Chat.room(1), "acl", at: 1, of: 2)])
    #expect(try chat.rooms(chat.ben) == [])
    #expect(try chat.messages(chat.ben) == [])
    try chat.write(
      chat.ann, Chat.grant(5, to: "__User:cy", .read) + [Chat.append(Chat.entry(5), to: Chat.room(1), "acl", of: 1)])
    #expect(try chat.rooms(chat.cy) == [1])
    #expect(try chat.messages(chat.cy) == [1])
  }

  @Test("a user who lost sight of a room is not sent what is written in it afterwards")
  func writtenAfterwards() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, Self.private12))
    let leaks = SecretCount(to: chat.ben, in: &chat)
    for edit in [
      [Chat.removal(from: Chat.room(1), "acl", at: 1, of: 2)],
      [Chat.set(Chat.room(1), "title", .string("~secret~")), Chat.set(Chat.message(1), "text", .string("~secret~"))],
    ] {
      try chat.network.write(chat.ann, edit)
      try chat.network.upload(chat.ann)
    }
    try chat.settle()
    #expect(leaks.count == 0)
    #expect(try chat.rooms(chat.ben) == [])
  }

  @Test(
    "a user who lost sight of a room and got it back, both while offline, is not sent what stood in it in between",
    arguments: [true, false])
  func writtenInBetween(byList: Bool) throws {
    // Over a collection of links: whether the room is in the view is asked at both ends alone.
    var chat = try Chat(byList ? #"{"Room":"messages.@count > 0"}"# : #"{"Room":"TRUEPREDICATE"}"#)
    try chat.write(
      chat.ann,
      [Chat.create(Chat.role("team")), Chat.append(Chat.user("ann"), to: Chat.role("team"), "members", of: 0)])
    try chat.write(chat.ann, [Chat.append(Chat.user("ben"), to: Chat.role("team"), "members", of: 1)])
    try chat.write(
      chat.ann,
      byList ? Chat.room(1, Self.private12) : Chat.room(1, [("__User:ann", .all), ("team", [.read])]))
    #expect(try chat.rooms(chat.ben) == [1])
    let leaks = SecretCount(to: chat.ben, in: &chat)
    let (loss, gain) =
      byList
      ? (
        Chat.removal(from: Chat.room(1), "acl", at: 1, of: 2),
        Chat.append(Chat.entry(11), to: Chat.room(1), "acl", of: 1)
      )
      : (
        Chat.removal(from: Chat.role("team"), "members", at: 1, of: 2),
        Chat.append(Chat.user("ben"), to: Chat.role("team"), "members", of: 1)
      )
    for edit in [
      loss, Chat.set(Chat.room(1), "title", .string("~secret~")), Chat.set(Chat.room(1), "title", .string("open")),
      gain,
    ] {
      try chat.network.write(chat.ann, [edit])
      try chat.network.upload(chat.ann)
    }
    try chat.settle()
    #expect(leaks.count == 0)
    #expect(try chat.rooms(chat.ben) == [1])
    #expect(try chat.network.dump(chat.ben).objects["Room"]?[.int(1)]?["title"] == .value(.string("open")))
  }

  @Test("whoever becomes a member of a role gets what it may read, and loses it with the membership")
  func member() throws {
    var chat = try Chat()
    try chat.write(
      chat.ann,
      [Chat.create(Chat.role("team")), Chat.append(Chat.user("ann"), to: Chat.role("team"), "members", of: 0)])
    try chat.write(chat.ann, Chat.room(1, [("team", .all)]))
    #expect(try chat.rooms(chat.ben) == [])
    try chat.write(chat.ann, [Chat.append(Chat.user("ben"), to: Chat.role("team"), "members", of: 1)])
    #expect(try chat.rooms(chat.ben) == [1])
    try chat.write(chat.ann, [Chat.removal(from: Chat.role("team"), "members", at: 1, of: 2)])
    #expect(try chat.rooms(chat.ben) == [])
    #expect(try chat.messages(chat.ben) == [])
  }

  @Test("rooms that may not be read take no place in a LIMIT")
  func limit() throws {
    var chat = try Chat(#"{"Room":"TRUEPREDICATE SORT(id ASC) LIMIT(2)"}"#)
    try chat.write(chat.full, Chat.room(1, [("__User:ann", .all)]) + Chat.room(2, [("everyone", .all)]))
    try chat.write(chat.full, Chat.room(3, [("everyone", .all)]) + Chat.room(4, [("everyone", .all)]))
    #expect(try chat.rooms(chat.ann) == [1, 2])
    #expect(try chat.rooms(chat.ben) == [2, 3])
    try chat.write(chat.full, [Chat.set(Chat.entry(20), "canRead", .bool(false))])
    #expect(try chat.rooms(chat.ann) == [1, 3])
    #expect(try chat.rooms(chat.ben) == [3, 4])
  }

  @Test("an entry that is in two lists is changed for both")
  func shared() throws {
    var chat = try Chat()
    try chat.write(
      chat.ann,
      Chat.room(1, Self.private12)
        + Chat.room(2, [("__User:ann", .all)]) + [Chat.append(Chat.entry(11), to: Chat.room(2), "acl", of: 1)])
    #expect(try chat.rooms(chat.ben) == [1, 2])
    try chat.write(chat.ann, [Chat.set(Chat.entry(11), "canRead", .bool(false))])
    #expect(try chat.rooms(chat.ben) == [])
    try chat.write(chat.ann, [Chat.set(Chat.entry(11), "role", .link(Chat.role("__User:cy")))])
    try chat.write(chat.ann, [Chat.set(Chat.entry(11), "canRead", .bool(true))])
    #expect(try chat.rooms(chat.ben) == [])
    #expect(try chat.rooms(chat.cy) == [1, 2])
  }

  @Test("a class that may not be read hides what is linked to")
  func hiddenClass() throws {
    var chat = try Chat(lists: [("Message", [.update, .create, .query])])
    try chat.write(chat.full, Chat.room(1, [("everyone", .all)]))
    #expect(try chat.rooms(chat.ben) == [1])
    #expect(try chat.messages(chat.ben) == [])
  }
}

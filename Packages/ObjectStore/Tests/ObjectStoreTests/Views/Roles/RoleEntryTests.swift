import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Permission objects are named by the file that makes them and a number, which others can guess: Ben makes those that Ann is going to make.
@Suite("permission objects that were made in advance")
struct RoleEntryTests {
  private typealias Chat = ChatScene

  private static let guess = Chat.grant(50, to: "__User:ben", .all)
  private static let room = Chat.room(5, [("__User:ann", .all)])

  @Test("the author who finds the name taken grants nothing by it, and is told")
  func taken() throws {
    var chat = try Chat()
    try chat.write(chat.ben, Self.guess)
    try chat.write(chat.ann, Self.room)
    #expect(try chat.rooms(chat.ben) == [])
    let told = chat.network.clients[chat.ann].refusals
    #expect(Set(told.map(\.object)) == [Chat.entry(50), Chat.room(5), Chat.message(5)])
    #expect(told.contains { $0.reason.contains("it names a permission object of others") })
    // Under another name she grants what she wants.
    try chat.write(chat.full, [Chat.create(Chat.room(6))])
    try chat.write(chat.ann, Chat.room(7, [("__User:ann", .all)]))
    #expect(try chat.rooms(chat.ann) == [7])
    #expect(try chat.rooms(chat.ben) == [])
  }

  @Test("nor when she does not know yet that it is taken")
  func takenMeanwhile() throws {
    var chat = try Chat()
    try chat.network.write(chat.ann, Self.room)
    try chat.network.write(chat.ben, Self.guess)
    try chat.network.upload(chat.ben)
    try chat.settle()
    #expect(try chat.rooms(chat.ben) == [])
    let told = Set(chat.network.clients[chat.ann].refusals.map(\.object))
    #expect(told == [Chat.entry(50), Chat.room(5), Chat.message(5)])
    #expect(try chat.server(Chat.entry(50), "role") == .value(.link(Chat.role("__User:ben"))))
  }

  @Test("nor in a list that was there, by an upload that names it alone")
  func named() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("__User:ann", .all)]))
    try chat.write(chat.ben, Self.guess)
    try chat.write(chat.ann, [Chat.append(Chat.entry(50), to: Chat.room(1), "acl", of: 1)])
    #expect(try chat.rooms(chat.ben) == [])
    #expect(chat.network.clients[chat.ann].refusals.map(\.object) == [Chat.room(1)])
  }

  @Test("with a link that is refused go the other changes of its list, also where others changed that list meanwhile")
  func besideOthers() throws {
    var chat = try Chat()
    try chat.network.write(chat.ann, Chat.room(5, [("__User:ann", .all), ("__User:cy", .all)]))
    try chat.network.write(chat.ben, Self.guess)
    try chat.network.upload(chat.ben)
    try chat.network.write(
      chat.full,
      Chat.grant(99, to: "everyone", .all)
        + [Chat.create(Chat.room(5)), Chat.append(Chat.entry(99), to: Chat.room(5), "acl", of: 0)])
    try chat.network.upload(chat.full)
    try chat.settle()
    let told = Set(chat.network.clients[chat.ann].refusals.map(\.object))
    #expect(told == [Chat.entry(50), Chat.room(5)])
    #expect(try chat.server(Chat.room(5), "acl")?.links == [Chat.entry(99)])
  }

  @Test("one's own, made by an earlier upload that had the same base, is put into a list")
  func own() throws {
    var chat = try Chat()
    try chat.network.write(chat.ann, Chat.grant(50, to: "__User:ben", [.read]))
    try chat.network.write(chat.ann, Chat.room(1, [("__User:ann", .all)]))
    try chat.network.write(chat.ann, [Chat.append(Chat.entry(50), to: Chat.room(1), "acl", of: 1)])
    try chat.settle()
    #expect(chat.refusals(chat.ann) == [])
    #expect(try chat.rooms(chat.ben) == [1])
  }

  @Test("what is erased and made again in one transaction needs the right to make it", arguments: [true, false])
  func madeAgain(mayCreate: Bool) throws {
    var rights: Privileges = [.read, .query, .update, .delete, .setPermissions]
    if mayCreate { rights.formUnion([.create]) }
    var chat = try Chat(lists: [("Room", rights)])
    try chat.write(chat.full, Chat.room(1, [("everyone", .all)]))
    try chat.write(
      chat.ben,
      [Chat.erase(Chat.room(1)), Chat.create(Chat.room(1)), Chat.set(Chat.room(1), "title", .string("anew"))])
    #expect(chat.network.clients[chat.ben].refusals.isEmpty == mayCreate)
    #expect(try chat.server(Chat.room(1), "title") == .value(.string(mayCreate ? "anew" : "room 1")))
  }
}

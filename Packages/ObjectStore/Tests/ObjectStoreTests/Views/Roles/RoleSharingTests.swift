import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("what is shared while queries change")
struct RoleSharingTests {
  private typealias Chat = ChatScene

  private static let all = #"{"Room":"TRUEPREDICATE"}"#
  private static let lowest = #"{"Room":"TRUEPREDICATE SORT(id ASC) LIMIT(2)"}"#
  private static let room = Chat.room(7, [("__User:ann", .all)])

  /// An entry for a user, behind others of the room.
  private static func entry(_ number: UInt64, for user: String, behind count: UInt32) -> [Instruction] {
    Chat.grant(number, to: "__User:\(user)", [.read])
      + [Chat.append(Chat.entry(number), to: Chat.room(7), "acl", of: count)]
  }

  /// The server sends a bootstrap that is not here yet.
  private static func beginBootstrap(of number: Int, _ chat: inout ChatScene) throws {
    let client = chat.network.clients[number]
    let wanted = try #require(client.wanted)
    let scan = try chat.network.server.viewScan(
      for: client.ident, from: client.history.progress().download, view: ViewRequest(held: client.held, wanted: wanted),
      access: client.access, byteLimit: .max)
    #expect(scan.batch?.query == wanted.version)
  }

  /// Both members have the room, and nothing was refused.
  private static func expectShared(_ chat: inout Chat) throws {
    #expect(chat.refusals(chat.ann) == [])
    try chat.settle()
    for member in [chat.ben, chat.cy] { #expect(try chat.rooms(member) == [7]) }
  }

  @Test(
    "members of a room that its author made on an older base, in one upload and in several", arguments: [true, false])
  func madeBeforeBootstrap(isOneUpload: Bool) throws {
    var chat = try Chat(Self.all)
    try chat.network.write(chat.ann, Self.room)
    if !isOneUpload { try chat.network.upload(chat.ann) }
    try chat.network.subscribe(chat.ann, Self.lowest)
    if isOneUpload {
      try chat.network.downloadAll(chat.ann)
    } else {
      try Self.beginBootstrap(of: chat.ann, &chat)
    }
    for (number, user) in [(UInt64(5), "ben"), (6, "cy")] {
      try chat.network.write(chat.ann, Self.entry(number, for: user, behind: UInt32(number) - 4))
      if !isOneUpload { try chat.network.upload(chat.ann) }
    }
    try chat.network.upload(chat.ann)
    try Self.expectShared(&chat)
  }

  @Test("members of a room that its author made before the changes of others came")
  func madeBeforeOthers() throws {
    var chat = try Chat(Self.lowest)
    try chat.network.write(chat.ann, Self.room)
    try chat.network.write(
      chat.ben,
      [Chat.create(Chat.room(2))] + Chat.grant(20, to: "everyone", .read)
        + [Chat.append(Chat.entry(20), to: Chat.room(2), "acl", of: 0)])
    try chat.network.upload(chat.ben)
    try chat.network.downloadAll(chat.ann)
    for (number, user) in [(UInt64(5), "ben"), (6, "cy")] {
      try chat.network.write(chat.ann, Self.entry(number, for: user, behind: UInt32(number) - 4))
      try chat.network.upload(chat.ann)
    }
    #expect(chat.refusals(chat.ann) == [])
    try chat.settle()
    for member in [chat.ben, chat.cy] { #expect(try chat.rooms(member) == [2, 7]) }
  }

  @Test("members of a room that was there before, and is held by the old queries and the new ones")
  func heldByBoth() throws {
    var chat = try Chat(Self.lowest)
    try chat.write(chat.ann, Self.room)
    try chat.network.subscribe(chat.ann, Self.all)
    try Self.beginBootstrap(of: chat.ann, &chat)
    for (number, user) in [(UInt64(5), "ben"), (6, "cy")] {
      try chat.network.write(chat.ann, Self.entry(number, for: user, behind: UInt32(number) - 4))
      try chat.network.upload(chat.ann)
    }
    try Self.expectShared(&chat)
  }

  @Test("a room that queries between did not hold is set back in its author's file", arguments: [true, false])
  func heldByOneOfThree(isNew: Bool) throws {
    var chat = try Chat(Self.all)
    try chat.write(chat.full, Chat.room(1, [("everyone", .read)]) + Chat.room(2, [("everyone", .read)]))
    try chat.network.write(chat.ann, Self.room)
    try chat.network.upload(chat.ann)
    if !isNew { try chat.settle() }
    try chat.network.write(chat.ann, [Chat.set(Chat.room(7), "title", .string("hers"))], at: 9)
    for queries in [Self.lowest, Self.all] {
      try chat.network.subscribe(chat.ann, queries)
      try chat.network.downloadAll(chat.ann)
    }
    try chat.network.upload(chat.ann)
    #expect(chat.refusals(chat.ann) == [])
    #expect(try chat.server(Chat.room(7), "title") == .value(.string("hers")))
    try chat.settle()
  }

  @Test("a room that left the view by itself and came back, under the new queries, is set back in its author's file")
  func leftByItself() throws {
    var chat = try Chat(Self.lowest)
    try chat.write(chat.ann, Chat.room(7, [("__User:ann", .all), ("__User:ben", .all)]))
    try chat.network.write(chat.ann, [Chat.set(Chat.room(7), "title", .string("hers"))], at: 9)
    try chat.network.subscribe(chat.ann, Self.all)
    try chat.network.downloadAll(chat.ann)
    for edit in [
      Chat.removal(from: Chat.room(7), "acl", at: 0, of: 2),
      Chat.append(Chat.entry(70), to: Chat.room(7), "acl", of: 1),
    ] {
      try chat.network.downloadAll(chat.full)
      try chat.network.write(chat.full, [edit])
      try chat.network.upload(chat.full)
      try chat.network.downloadAll(chat.ann)
    }
    try chat.network.upload(chat.ann)
    #expect(chat.refusals(chat.ann) == [])
    #expect(try chat.server(Chat.room(7), "title") == .value(.string("hers")))
    try chat.settle()
  }
}

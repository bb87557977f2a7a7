import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("what a file holds when its user logs in with another token")
struct RoleTokenTests {
  private typealias Chat = ChatScene

  /// Ann logs in with a token, and has what it lets her read.
  private static func login(_ tokenBound: Privileges, _ chat: inout ChatScene) throws {
    try chat.network.disconnect(chat.ann)
    chat.network.clients[chat.ann].access?.tokenBound = tokenBound.rawValue
    try chat.network.downloadAll(chat.ann)
  }

  private static func chat() throws -> ChatScene {
    var chat = try ChatScene()
    try chat.write(chat.full, Chat.room(1, [("everyone", .all)]))
    return chat
  }

  @Test(
    "a write to a room that its author made while it was out of sight is refused, and not taken for one to the room itself"
  )
  func madeWhileHidden() throws {
    var chat = try Self.chat()
    try Self.login([], &chat)
    #expect(try chat.rooms(chat.ann) == [])
    try chat.network.write(
      chat.ann,
      [
        Chat.create(Chat.room(1)), Chat.create(Chat.message(9)),
        Chat.append(Chat.message(9), to: Chat.room(1), "messages", of: 0),
      ])
    try Self.login(.all, &chat)
    #expect(try chat.rooms(chat.ann) == [1])
    try chat.network.upload(chat.ann)
    #expect(
      chat.refusals(chat.ann).contains {
        $0.hasPrefix("\(Chat.room(1)): write not allowed: it is an object outside of the query view")
      })
    try chat.settle()
    #expect(try chat.server(Chat.room(1), "messages") == .list([.value(.link(Chat.message(1)))]))
  }

  @Test("a write to a room that was out of sight for a while is in its author's file again")
  func hiddenForAWhile() throws {
    var chat = try Self.chat()
    try chat.network.write(chat.ann, [Chat.set(Chat.room(1), "title", .string("hers"))], at: 9)
    try Self.login([], &chat)
    try Self.login(.all, &chat)
    try chat.network.upload(chat.ann)
    #expect(chat.refusals(chat.ann) == [])
    try chat.settle()
    #expect(try chat.server(Chat.room(1), "title") == .value(.string("hers")))
  }

  @Test("a login adds a version to the history only when it changes what may be read", arguments: [true, false])
  func versions(isOther: Bool) throws {
    var chat = try Self.chat()
    func version() throws -> ServerVersion? { try ServerState(in: chat.network.file.store.latestSnapshot())?.current }
    let before = try #require(try version())
    for _ in 0..<3 { try Self.login(isOther ? [.read] : .all, &chat) }
    #expect(try version()?.rawValue == before.rawValue + (isOther ? 1 : 0))
  }
}

import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("what a user who was away is told of the time in between")
struct RolePastTests {
  private typealias Chat = ChatScene

  /// A room of Ann's that once was for everybody, until the entry 11 was erased.
  private static func closedRoom() throws -> Chat {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("__User:ann", .all), ("everyone", [.read])]))
    try chat.write(chat.full, [Chat.erase(Chat.entry(11))])
    #expect(try chat.rooms(chat.ben) == [])
    return chat
  }

  private static func title(_ text: String) -> Instruction { Chat.set(Chat.room(1), "title", .string(text)) }

  @Test("an entry that is for everybody later says nothing of a room whose list it left before")
  func entryChangedAfterwards() throws {
    var chat = try Chat()
    let leaks = SecretCount(to: chat.ben, in: &chat)
    let secret = Chat.room(1, [("__User:ann", .all), ("__User:ann", .all)])
    let edits = [
      secret + [Chat.set(Chat.room(1), "title", .string("~secret~"))],
      [Chat.removal(from: Chat.room(1), "acl", at: 0, of: 2)],
      [Chat.set(Chat.entry(10), "role", .link(Chat.role("everyone")))],
    ]
    try chat.write(chat.ann, oneByOne: edits)
    #expect(leaks.count == 0)
    #expect(try chat.rooms(chat.ben) == [])
  }

  @Test("a person who is held by a link alone says nothing of the time without it")
  func withoutLinkInBetween() throws {
    var chat = try Chat()
    let person = ObjectReference(className: "Person", key: .string("p"))
    let author = { (payload: Payload) in Chat.set(Chat.message(1), "author", payload) }
    try chat.write(
      chat.ann,
      Chat.room(1, [("everyone", .all)]) + Chat.grant(20, to: "__User:ann", .all) + [
        Chat.create(person), Chat.append(Chat.entry(20), to: person, "acl", of: 0), author(.link(person)),
      ])
    #expect(try chat.network.dump(chat.ben).objects["Person"]?[person.key] != nil)
    let leaks = SecretCount(to: chat.ben, in: &chat)
    try chat.write(
      chat.full,
      oneByOne: [
        [author(.null)], [Chat.set(person, "name", .string("~secret~"))], [Chat.set(person, "name", .string("open"))],
        [author(.link(person))],
      ])
    #expect(leaks.count == 0)
    #expect(try chat.network.dump(chat.ben).objects["Person"]?[person.key]?["name"] == .value(.string("open")))
  }

  @Test("a person who is held by a link alone all the time is followed, and their author's writes are taken")
  func heldByLink() throws {
    var chat = try Chat(lists: [("Message", Privileges.all.subtracting([.query]))])
    try chat.write(chat.ann, Chat.room(1, [("everyone", .all)]))
    var erasures = 0
    chat.network.watch = { client, entries in
      for entry in entries where client == 1 {
        let origin = ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
        erasures += try Changeset(decoding: entry.changeset, origin: origin).instructions.count {
          if case .eraseObject = $0 { true } else { false }
        }
      }
    }
    try chat.network.write(chat.ben, [Chat.set(Chat.message(1), "n", .int(7))])
    try chat.write(
      chat.ann,
      oneByOne: ["b", "c"].map { [Chat.set(Chat.message(1), "text", .string($0))] } + [[Self.title("d")]])
    #expect(erasures == 0)
    #expect(try chat.server(Chat.message(1), "n") == .value(.int(7)))
    #expect(chat.refusals(chat.ben) == [])
  }

  @Test("an entry that a list names before it is there says nothing of the time before")
  func namedBefore() throws {
    var chat = try Chat()
    let leaks = SecretCount(to: chat.ben, in: &chat)
    try chat.write(
      chat.full,
      oneByOne: [
        [
          Chat.create(Chat.room(1)), Self.title("~secret~"), Chat.append(Chat.entry(9), to: Chat.room(1), "acl", of: 0),
        ], [Self.title("open")], Chat.grant(9, to: "everyone", [.read]),
      ])
    #expect(leaks.count == 0)
    #expect(try chat.rooms(chat.ben) == [1])
  }

  @Test("an entry that is made again says nothing of the time without it", arguments: [true, false])
  func madeAgain(staysInList: Bool) throws {
    var chat = try Self.closedRoom()
    let leaks = SecretCount(to: chat.ben, in: &chat)
    let before =
      staysInList
      ? [
        Chat.grant(12, to: "__User:ann", .all) + [Chat.append(Chat.entry(12), to: Chat.room(1), "acl", of: 2)]
      ] : []
    let after = staysInList ? [] : [[Chat.removal(from: Chat.room(1), "acl", at: 1, of: 2)]]
    try chat.write(
      chat.full,
      oneByOne: before + [[Self.title("~secret~")], [Self.title("open")], Chat.grant(11, to: "everyone", [.read])]
        + after)
    #expect(leaks.count == 0)
    #expect(try chat.rooms(chat.ben) == (staysInList ? [1] : []))
  }

  @Test("a link that a class gets later does not stop the view", arguments: [true, false])
  func laterLink(isRevoked: Bool) throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("__User:ann", .all), ("everyone", [.read])]))
    try chat.write(chat.full, [LinkedRealm.column("Message", "room", .link, isNullable: true, to: "Room")])
    try chat.write(
      chat.full, isRevoked ? [Chat.removal(from: Chat.room(1), "acl", at: 1, of: 2)] : [Self.title("new")])
    #expect(try chat.rooms(chat.ben) == (isRevoked ? [] : [1]))
  }

  @Test(
    "objects of a class that gets access lists later are nobody's until their lists have entries",
    arguments: [#"{"Room":"TRUEPREDICATE","Message":"TRUEPREDICATE"}"#, #"{"Message":"TRUEPREDICATE"}"#])
  func laterList(queries: String) throws {
    var chat = try Chat(queries)
    let text = { Chat.set(Chat.message(9), "text", .string($0)) }
    func write(_ instructions: [Instruction]) throws {
      try chat.network.write(chat.full, instructions)
      try chat.network.settle()
    }
    try write([Chat.create(Chat.message(9)), text("open")])
    #expect(try chat.messages(chat.ben) == [9])
    try write([LinkedRealm.column("Message", "acl", .link, .list, to: "__Permission")])
    #expect(try chat.messages(chat.ben) == [])
    let leaks = SecretCount(to: chat.ben, in: &chat)
    try write([text("~secret~")])
    try write([text("open")])
    #expect(leaks.count == 0)
    try write(
      Chat.grant(5, to: "__User:ben", [.read]) + [Chat.append(Chat.entry(5), to: Chat.message(9), "acl", of: 0)])
    #expect(try chat.messages(chat.ben) == [9])
    #expect(try chat.messages(chat.cy) == [])
    #expect(leaks.count == 0)
  }

  @Test("a class that got access lists, secrets and entries while a user was away tells no secret")
  func laterListWhileAway() throws {
    var chat = try Chat(#"{"Message":"TRUEPREDICATE"}"#)
    let text = { Chat.set(Chat.message(9), "text", .string($0)) }
    try chat.network.write(chat.full, [Chat.create(Chat.message(9)), text("open")])
    try chat.network.settle()
    let leaks = SecretCount(to: chat.ben, in: &chat)
    for edit in [
      [LinkedRealm.column("Message", "acl", .link, .list, to: "__Permission")], [text("~secret~")], [text("open")],
      Chat.grant(5, to: "__User:ben", [.read]) + [Chat.append(Chat.entry(5), to: Chat.message(9), "acl", of: 0)],
    ] {
      try chat.network.write(chat.full, edit)
      try chat.network.upload(chat.full)
    }
    try chat.network.settle()
    #expect(leaks.count == 0)
    #expect(try chat.messages(chat.ben) == [9])
    #expect(try chat.messages(chat.cy) == [])
  }

  @Test("many new entries, with members for somebody else, take no write of a user who was away")
  func manyEntries() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("everyone", .all)]))
    try chat.write(chat.full, [Chat.create(Chat.role("team"))])
    try chat.network.write(chat.ben, [Chat.set(Chat.room(1), "pinned", .link(Chat.message(1)))])
    try chat.write(
      chat.full,
      oneByOne: (0..<18).map { number in
        Chat.grant(100 + UInt64(number), to: "everyone", [.read]) + [
          Chat.append(Chat.user("cy"), to: Chat.role("team"), "members", of: UInt32(number)),
          Self.title("t\(number)"),
        ]
      })
    #expect(try chat.server(Chat.room(1), "pinned") == .value(.link(Chat.message(1))))
    #expect(chat.refusals(chat.ben) == [])
  }

  @Test("a class without query is neither included nor asked about by what links to others")
  func withoutQuery() throws {
    for (query, isRefused) in [
      ("TRUEPREDICATE INCLUDE(@links.Message.author)", false),
      ("ANY @links.Message.author.text BEGINSWITH '~'", true),
    ] {
      var chat = try Chat(
        #"{"Room":"TRUEPREDICATE"}"#, lists: [("Message", Privileges.all.subtracting([.query]))])
      let person = ObjectReference(className: "Person", key: .string("p"))
      try chat.write(
        chat.full,
        Chat.room(1, [("__User:ann", .all)]) + Chat.grant(20, to: "everyone", .all) + [
          Chat.create(person), Chat.append(Chat.entry(20), to: person, "acl", of: 0),
          Chat.set(Chat.message(1), "author", .link(person)), Chat.set(Chat.message(1), "text", .string("~secret~")),
        ])
      let leaks = SecretCount(to: chat.ben, in: &chat)
      try chat.network.subscribe(chat.ben, "{\"Person\":\"\(query)\"}")
      if isRefused {
        #expect(throws: QueryRefusal.self) { try chat.network.settle() }
      } else {
        try chat.network.settle()
        #expect(try chat.network.keys(chat.ben, "Message") == [])
        #expect(try chat.network.dump(chat.ben).objects["Person"]?[person.key] != nil)
      }
      #expect(leaks.count == 0)
    }
  }

  @Test("a query for roles that may not be asked takes nothing away that comes without one")
  func impliedClasses() throws {
    var chat = try Chat(#"{"Room":"TRUEPREDICATE","__Role":"ANY members.id == 'ben'"}"#)
    let roles = { try chat.network.dump(chat.ben).objects["__Role"]?.count }
    let all = try roles()
    try chat.network.file.edit { try $0.apply([.setClassList("__User", [PermissionEntry(.everyone, [.query])])]) }
    try chat.network.settle()
    #expect(try roles() == all)
  }

  @Test("the file of a user that another one took over tells nothing of what that one could not read")
  func takenOver() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("__User:ann", .all)]))
    try chat.network.disconnect(chat.ann)
    chat.network.clients[chat.ann].access = ViewAccess(user: "ben", followsLinks: true)
    let leaks = SecretCount(to: chat.ann, in: &chat)
    try chat.write(
      chat.full,
      oneByOne: [
        [Self.title("~secret~")], [Self.title("open")],
        Chat.grant(12, to: "everyone", [.read]) + [Chat.append(Chat.entry(12), to: Chat.room(1), "acl", of: 1)],
      ])
    #expect(leaks.count == 0)
    #expect(try chat.rooms(chat.ann) == [1])
  }

  @Test("what an included object links to comes and goes with it")
  func linkedByIncluded() throws {
    var chat = try Chat(#"{"Person":"TRUEPREDICATE INCLUDE(@links.Message.author)"}"#)
    let person = ObjectReference(className: "Person", key: .string("p"))
    func write(_ instructions: [Instruction]) throws {
      try chat.network.write(chat.full, instructions)
      try chat.network.settle()
    }
    try write([LinkedRealm.column("Message", "room", .link, isNullable: true, to: "Room")])
    try write(
      Chat.grant(20, to: "everyone", .all) + [
        Chat.create(person), Chat.append(Chat.entry(20), to: person, "acl", of: 0), Chat.create(Chat.room(1)),
        Chat.create(Chat.message(1)), Chat.set(Chat.message(1), "author", .link(person)),
        Chat.set(Chat.message(1), "room", .link(Chat.room(1))),
      ])
    #expect(try chat.messages(chat.ben) == [1])
    #expect(try chat.rooms(chat.ben) == [1])
    try write([Self.title("new")])
    #expect(try chat.network.dump(chat.ben).objects["Room"]?[.int(1)]?["title"] == .value(.string("new")))
    try write([Chat.erase(Chat.message(1))])
    #expect(try chat.rooms(chat.ben) == [])
  }
}

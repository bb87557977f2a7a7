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

  @Test(
    "who holds the realm whole by a token for less changes neither the schema nor permissions",
    arguments: [
      ViewAccess(user: "ben"), ViewAccess(user: "root", isAdministrator: true, mayHoldWhole: true),
    ])
  func whole(access: ViewAccess) throws {
    var network = try ViewNetwork([])
    let column = LinkedRealm.column("Note", "text", .string)
    try network.file.commit(
      [.addTable(AddTable(table: "Note", primaryKey: PrimaryKeyColumn(field: "id", type: .int))), column],
      at: OriginTimestamp(0))
    try network.file.edit { editor in
      try editor.openPermissions()
      try editor.connect("ben")
      try editor.apply([.setRealmList([PermissionEntry(.everyone, Privileges(bound: .write))])])
    }
    var access = access
    #expect(try network.server.mayHoldWhole(access) == access.isAdministrator)
    access.tokenBound = Privileges(bound: .write).rawValue
    #expect(try network.server.mayHoldWhole(access))
    let whole = try network.add(queries: nil, access: access)
    try network.downloadAll(whole)
    let before = try network.file.contents().permissions.table()
    let (realm, note) = (
      ObjectReference(className: "__Realm", key: .int(0)), ObjectReference(className: "Note", key: .int(1))
    )
    let mine = ObjectReference(className: "Mine", key: .int(1))
    try network.write(
      whole,
      [
        .addTable(AddTable(table: "Mine", primaryKey: PrimaryKeyColumn(field: "id", type: .int))), Chat.create(mine),
        LinkedRealm.column("Note", "mine", .string), Chat.create(note), Chat.set(note, "text", .string("kept")),
        Chat.set(note, "mine", .string("refused")),
      ] + Chat.grant(5, to: "everyone", .all) + [Chat.append(Chat.entry(5), to: realm, "permissions", of: 1)])
    try network.write(whole, [Chat.set(Chat.entry(5), "canRead", .bool(false)), Chat.create(mine), Chat.erase(realm)])
    try network.settle()
    #expect(
      Set(network.clients[whole].refusals.map(\.object)) == [
        ObjectReference(className: "Mine", key: .null), mine, ObjectReference(className: "Note", key: .null), realm,
      ])
    let catalog = try network.file.latestReadView().catalog
    #expect(catalog["Mine"] == nil)
    #expect(catalog["Note"]?.field("mine") == nil)
    let after = try network.file.contents().permissions.table()
    #expect(after.realmList == before.realmList)
    let notes = try #require(try network.file.dump().objects["Note"])
    #expect(notes[note.key]?["text"] == .value(.string("kept")))
    for name in ["__Realm", "__Class", "__Permission"] {
      #expect(try network.dump(whole).objects[name] == network.file.dump().objects[name], "\(name)")
    }

    // Later writes into a class that was refused are told, and not malformed.
    let other = ObjectReference(className: "Mine", key: .int(2))
    try network.write(whole, [Chat.create(other)])
    try network.settle()
    #expect(network.clients[whole].refusals.suffix(2).contains { $0.object == other })
  }

  @Test("a token for less lets no list be changed beside an entry that is refused")
  func wholeWithEntry() throws {
    var network = try ViewNetwork([])
    try network.file.edit { editor in
      try editor.openPermissions()
      try editor.connect("ben")
    }
    let access = ViewAccess(user: "ben", tokenBound: Privileges(bound: .write).rawValue, mayHoldWhole: true)
    let whole = try network.add(queries: nil, access: access)
    try network.downloadAll(whole)
    let realm = ObjectReference(className: "__Realm", key: .int(0))
    let dump = try network.file.dump()
    let used = try #require(dump.objects["__Realm"]?[.int(0)]?["permissions"]?.links.first)
    let before = try network.file.contents().permissions.table()
    try network.write(
      whole,
      [Chat.set(used, "canSetPermissions", .bool(false))] + Chat.grant(6, to: "everyone", .all)
        + [Chat.append(Chat.entry(6), to: realm, "permissions", of: 1)])
    try network.settle()
    #expect(Set(network.clients[whole].refusals.map(\.object)) == [used, realm])
    #expect(try network.file.contents().permissions.table().realmList == before.realmList)
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

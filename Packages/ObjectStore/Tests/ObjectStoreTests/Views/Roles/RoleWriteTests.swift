import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("what roles let be written")
struct RoleWriteTests {
  private typealias Chat = ChatScene

  private static let private12: [(String, Privileges)] = [("__User:ann", .all), ("__User:ben", [.read])]

  @Test("what a reader posts into a room is undone, another edit of the transaction stays")
  func reader() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, Self.private12) + Chat.room(2, [("everyone", .all)]))
    try chat.write(
      chat.ben,
      [
        Chat.create(Chat.message(9)), Chat.append(Chat.message(9), to: Chat.room(1), "messages", of: 1),
        Chat.set(Chat.room(2), "title", .string("taken")),
      ])
    #expect(try chat.server(Chat.room(2), "title") == .value(.string("taken")))
    #expect(try chat.exists(Chat.message(9)) == false)
    #expect(try chat.messages(chat.ben) == [1, 2])
    #expect(
      chat.refusals(chat.ben) == [
        "Message[9]: write not allowed: the new object is outside of the query view",
        "Room[1]: write not allowed: changing an object of class 'Room': update is not granted on this object of class "
          + "'Room'; ask somebody who has it",
      ])
  }

  @Test(
    "a refusal says nothing of the list of a room that its author does not see any more, or never saw",
    arguments: [[], ["doctors"]])
  func hiddenList(roles: [String]) throws {
    var chat = try Chat()
    try chat.write(chat.full, [Chat.create(Chat.role("doctors"))] + Chat.room(1, [("__User:ann", .all)]))
    let seen = Chat.room(1), guessed = Chat.room(2)
    try chat.network.write(
      chat.ann,
      [Chat.set(seen, "title", .string("x")), Chat.create(guessed), Chat.set(guessed, "title", .string("x"))])
    let others = roles.flatMap { Chat.grant(99, to: $0, .all) + [Chat.append(Chat.entry(99), to: seen, "acl", of: 0)] }
    try chat.network.write(
      chat.full, [Chat.removal(from: seen, "acl", at: 0, of: 1)] + others + Chat.room(2, roles.map { ($0, .all) }))
    try chat.network.upload(chat.full)
    try chat.network.upload(chat.ann)
    try chat.settle()
    #expect(
      chat.refusals(chat.ann)
        == [seen, guessed].map {
          "\($0): write not allowed: it is an object outside of the query view"
        })
  }

  @Test("the author's own new object is in the view by the link to it")
  func linked() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("everyone", .all)]))
    try chat.write(
      chat.ben,
      [Chat.create(Chat.message(9)), Chat.append(Chat.message(9), to: Chat.room(1), "messages", of: 1)])
    #expect(chat.refusals(chat.ben) == [])
    for client in [chat.ann, chat.ben, chat.cy] { #expect(try chat.messages(client) == [1, 9]) }
  }

  @Test("a reason has the beginning of a long role, and what is kept of an upload is bounded in bytes")
  func longRole() throws {
    var chat = try Chat()
    let role = String(repeating: "r", count: 1 << 20)
    try chat.write(chat.ann, Chat.room(1, [("__User:ann", .all), ("__User:ben", [.read]), (role, .all)]))
    try chat.write(chat.ben, [Chat.set(Chat.room(1), "title", .string("taken"))])
    let reason = try #require(chat.network.clients[chat.ben].refusals.first?.reason)
    #expect(reason.hasSuffix("role '\(String(repeating: "r", count: 64))…' has it"))

    let long = String(repeating: "x", count: 100_000)
    #expect(RefusedWrite(object: Chat.room(1), clientVersion: .zero, reason: long).reason.utf8.count < 1_100)
    var upload = UndoneUpload(version: ServerVersion(9), objects: [])
    upload.refusals = (0..<100).map { number in
      let object = ObjectReference(className: "Room", key: .string("\(number) \(long)"))
      return RefusedWrite(object: object, clientVersion: .zero, reason: "\(number)")
    }
    upload.objects = upload.refusals.map(\.object)
    let ident = chat.network.clients[chat.ben].ident
    try chat.network.file.write(isRecorded: false) { try UndoneUploadLog.keep(upload, of: ident, in: $0.transaction) }
    let kept = try #require(try UndoneUploadLog.uploads(of: ident, in: 9...9, chat.network.file).first)
    #expect(kept.refusals == Array(upload.refusals.prefix(10)))
    #expect(kept.objects == Array(upload.objects.prefix(10)))
  }

  @Test("what is refused of a list takes the later changes of that list in the same upload with it")
  func laterChangesOfAList() throws {
    var chat = try Chat()
    try chat.write(
      chat.ann, Chat.room(1, [("__User:ann", .all), ("__User:ben", [.read, .setPermissions])]))
    for (number, privileges) in [(UInt64(5), Privileges.all), (6, .read)] {
      try chat.network.write(
        chat.ben,
        Chat.grant(number, to: "__User:cy", privileges)
          + [Chat.append(Chat.entry(number), to: Chat.room(1), "acl", of: UInt32(number) - 3)])
    }
    try chat.settle()
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [Chat.room(1)])
    #expect(try chat.rooms(chat.cy) == [])
  }

  @Test("a refused erasure takes what is made anew with it")
  func erasedAndMade() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("__User:ann", .all), ("__User:ben", [.read, .update])]))
    try chat.write(
      chat.ben,
      [
        Chat.erase(Chat.room(1)), Chat.create(Chat.room(1)), Chat.set(Chat.room(1), "title", .string("mine")),
        Chat.append(Chat.message(1), to: Chat.room(1), "messages", of: 0),
      ])
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [Chat.room(1)])
    #expect(try chat.server(Chat.room(1), "title") == .value(.string("room 1")))
    #expect(try chat.rooms(chat.ben) == [1])
  }

  @Test("nobody grants more than they have")
  func grantsMore() throws {
    var chat = try Chat()
    try chat.write(
      chat.ann, Chat.room(1, [("__User:ann", .all), ("__User:ben", [.read, .setPermissions])]))
    try chat.write(
      chat.ben,
      Chat.grant(5, to: "__User:cy", [.read, .delete])
        + [Chat.append(Chat.entry(5), to: Chat.room(1), "acl", of: 2)])
    #expect(try chat.rooms(chat.cy) == [])
    #expect(
      chat.refusals(chat.ben) == [
        "Room[1]: write not allowed: changing the access list of an object of class 'Room': delete cannot be granted on "
          + "this object of class 'Room' by a user without it; ask somebody who has it"
      ])
    try chat.write(
      chat.ben,
      Chat.grant(6, to: "__User:cy", [.read]) + [Chat.append(Chat.entry(6), to: Chat.room(1), "acl", of: 2)])
    #expect(try chat.rooms(chat.cy) == [1])
  }

  @Test("a refused change of an entry does not count against a list that the entry is put into")
  func entryOfAnotherList() throws {
    var chat = try Chat()
    try chat.write(
      chat.ann,
      Chat.room(1, [("__User:ann", .all), ("__User:cy", [.read]), ("__User:ben", [.read])])
        + Chat.room(2, [("__User:ann", .all), ("__User:ben", [.read, .setPermissions])]))
    try chat.write(
      chat.ben,
      [Chat.set(Chat.entry(11), "canDelete", .bool(true)), Chat.append(Chat.entry(11), to: Chat.room(2), "acl", of: 2)])
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [Chat.entry(11)])
    #expect(try chat.rooms(chat.cy) == [1, 2])
  }

  @Test("a refused change of a list does not count against a new object of the same changeset")
  func listOfTheClass() throws {
    var chat = try Chat(lists: [("Room", .all.subtracting([.delete, .setPermissions]))])
    let list = ObjectReference(className: "__Class", key: .string("Room"))
    try chat.write(
      chat.ben,
      [.clear(Clear(target: Target(object: list, field: "permissions"), collection: .list))]
        + Chat.grant(5, to: "__User:cy", .all) + [Chat.append(Chat.entry(5), to: list, "permissions", of: 0)]
        + Chat.room(1, [("everyone", [.read])]))
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [list])
    #expect(try chat.rooms(chat.cy) == [1])
  }

  @Test("an entry that was erased is not made again by users who could not grant it")
  func erasedEntry() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, Self.private12))
    try chat.write(chat.ann, [Chat.erase(Chat.entry(11))])
    #expect(try chat.rooms(chat.ben) == [])
    try chat.write(chat.ben, Chat.grant(11, to: "__User:ben", .all))
    #expect(try chat.rooms(chat.ben) == [])
    #expect(try chat.exists(Chat.entry(11)) == false)
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [Chat.entry(11)])
    try chat.write(chat.ann, Chat.grant(11, to: "__User:cy", .read))
    #expect(try chat.rooms(chat.cy) == [1])
  }

  @Test("an entry does not lose its role by users who could not revoke it")
  func entryWithoutRole() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, Self.private12))
    try chat.write(chat.ben, [Chat.set(Chat.entry(10), "role", .null)])
    #expect(try chat.rooms(chat.ann) == [1])
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [Chat.entry(10)])
  }

  @Test("a field that somebody added to a class of permissions is a property like others")
  func addedField() throws {
    var chat = try Chat()
    try chat.write(chat.full, ["__Realm", "__Class"].map { LinkedRealm.column($0, "note", .string) })
    let holders = [
      ObjectReference(className: "__Realm", key: .int(0)), ObjectReference(className: "__Class", key: .string("Room")),
    ]
    try chat.write(chat.ben, holders.map { Chat.set($0, "note", .string("taken")) })
    for holder in holders { #expect(try chat.server(holder, "note") == .value(.string("taken"))) }
    try chat.network.file.edit {
      try $0.apply([.setRealmList([PermissionEntry(.everyone, [.read, .query])])])
    }
    try chat.settle()
    try chat.write(chat.ben, holders.map { Chat.set($0, "note", .string("refused")) })
    for holder in holders { #expect(try chat.server(holder, "note") == .value(.string("taken"))) }
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == holders.reversed())
  }

  @Test("permissions that a client with everything sets up are in force before the first view is there")
  func setUpBeforeViews() throws {
    var network = try ViewNetwork([])
    try network.file.edit { editor in
      try editor.openPermissions()
      try editor.connect("ben")
    }
    let full = try network.add(queries: nil)
    try network.downloadAll(full)
    let entry = try #require(try network.dump(full).objects["__Realm"]?[.int(0)]?["permissions"]?.links.first)
    try network.write(full, [Chat.set(entry, "canUpdate", .bool(false))])
    try network.upload(full)
    let ben = try network.add(queries: "{}", access: ViewAccess(user: "ben", followsLinks: true))
    try network.downloadAll(ben)
    try network.write(ben, [Chat.set(entry, "canUpdate", .bool(true))])
    try network.upload(ben)
    #expect(network.clients[ben].refusals.map(\.object) == [entry])
  }

  @Test("a token does not bound what is written while no permissions are in force")
  func tokenWithoutPermissions() throws {
    var network = try ViewNetwork([])
    try network.file.edit { editor in
      try editor.openPermissions()
      try editor.connect("ben")
      try editor.apply([.setRealmList(.missing)])
    }
    let ben = try network.add(
      queries: "{}", access: ViewAccess(user: "ben", tokenBound: Privileges.update.rawValue, followsLinks: true))
    try network.downloadAll(ben)
    let role = Chat.role("everyone")
    #expect(try network.dump(ben).objects["__Role"]?[role.key] != nil)
    let permission = try #require(try network.dump(ben).objects["__Permission"]?.keys.first)
    try network.write(
      ben, [Chat.set(ObjectReference(className: "__Permission", key: permission), "role", .link(role))])
    try network.upload(ben)
    #expect(network.clients[ben].refusals == [])
  }

  @Test("what an earlier changeset should not have done does not count against a later one")
  func laterChangeset() throws {
    var chat = try Chat(lists: [("Room", .all.subtracting([.delete, .setPermissions]))])
    try chat.write(chat.ann, Chat.room(1, [("everyone", .all)]))
    // Refused for what it grants; it would also have hidden all rooms from Ben.
    let list = ObjectReference(className: "__Class", key: .string("Room"))
    try chat.network.write(
      chat.ben,
      [.clear(Clear(target: Target(object: list, field: "permissions"), collection: .list))]
        + Chat.grant(5, to: "__User:cy", .all) + [Chat.append(Chat.entry(5), to: list, "permissions", of: 0)])
    try chat.network.write(
      chat.ben,
      Chat.grant(6, to: "__User:cy", [.read]) + [Chat.append(Chat.entry(6), to: Chat.room(1), "acl", of: 1)])
    try chat.settle()
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [list])
  }

  @Test("an entry of a list that goes with its refused object is judged as one of no list")
  func entryOfARefusedObject() throws {
    // Nothing that Ben's view may hold depends on other objects.
    var chat = try Chat(lists: [
      ("Room", .all.subtracting(.query)), ("__Realm", .all.subtracting(.read)), ("__Class", .all.subtracting(.read)),
    ])
    try chat.network.write(
      chat.ben,
      [Chat.create(Chat.room(1))] + Chat.grant(5, to: "__User:cy", [.read, .update])
        + [Chat.append(Chat.entry(5), to: Chat.room(1), "acl", of: 0)])
    try chat.network.write(chat.ben, [Chat.set(Chat.entry(5), "canDelete", .bool(true))])
    try chat.network.upload(chat.ben)
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [Chat.room(1)])
    #expect(try chat.server(Chat.entry(5), "canDelete") == .value(.bool(true)))
  }

  @Test("a write to an object that the file was sent anew is set back, whatever the roles were at its base")
  func sentAnew() throws {
    var chat = try Chat()
    let team = Chat.role("team")
    try chat.write(chat.ann, [Chat.create(team), Chat.append(Chat.user("ann"), to: team, "members", of: 0)])
    try chat.network.write(chat.ben, [Chat.append(Chat.user("cy"), to: team, "members", of: 1)])
    try chat.network.write(chat.ann, Chat.grant(5, to: "team", .read))
    try chat.network.upload(chat.ann)
    try chat.network.downloadAll(chat.ben)
    // Seen from here the entry is an old one that changes, seen from Ben's write it is new: it may be in a list, or not.
    for edit in [
      Chat.set(Chat.entry(5), "canUpdate", .bool(true)), Chat.removal(from: team, "members", at: 0, of: 1),
      Chat.create(Chat.message(3)),
    ] {
      try chat.network.downloadAll(chat.full)
      try chat.network.write(chat.full, [edit])
      try chat.network.upload(chat.full)
    }
    try chat.settle()
    #expect(try chat.server(team, "members")?.links == [Chat.user("cy")])
    #expect(chat.refusals(chat.ben) == [])
  }

  @Test("a list that is declared with its entries is judged as a list", arguments: [true, false])
  func declaredList(atOnce: Bool) throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("__User:ann", .all), ("__User:ben", [.read, .update])]))
    let column = [LinkedRealm.column("Room", "acl2", .link, .list, to: "__Permission")]
    let entries =
      Chat.grant(99, to: "__User:ben", .all) + [
        Chat.append(Chat.entry(99), to: Chat.room(1), "acl2", of: 0)
      ]
    for edit in atOnce ? [column + entries] : [column, entries] { try chat.write(chat.ben, edit) }
    #expect(chat.refusals(chat.ben).contains { $0.contains("Room[1]") })
    try chat.write(chat.ben, [Chat.erase(Chat.room(1))])
    #expect(try chat.exists(Chat.room(1)))
  }
}

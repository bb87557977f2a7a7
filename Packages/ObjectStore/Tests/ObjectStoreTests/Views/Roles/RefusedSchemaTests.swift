import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("classes and properties that roles do not let be added")
struct RefusedSchemaTests {
  private typealias Chat = ChatScene

  @Test("classes and fields are not added by users without modifySchema")
  func schema() throws {
    var chat = try Chat()
    try chat.network.file.edit {
      try $0.apply([.setRealmList([PermissionEntry(.everyone, .all.subtracting(.modifySchema))])])
    }
    try chat.settle()
    try chat.write(
      chat.ben,
      [
        .addTable(AddTable(table: "Mine", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
        LinkedRealm.column("Mine", "text", .string), LinkedRealm.column("Room", "mine", .string),
      ] + Chat.room(1, [("everyone", .all)]))
    #expect(try chat.exists(Chat.room(1)))
    let catalog = try chat.network.file.latestReadView().catalog
    #expect(catalog["Mine"] == nil)
    #expect(catalog["Room"]?.field("mine") == nil)
    #expect(
      chat.network.clients[chat.ben].refusals.map(\.object) == [
        ObjectReference(className: "Mine", key: .null), ObjectReference(className: "Room", key: .null),
      ])
  }

  @Test("a refused declaration is told with an entry of its version, although nothing is set back")
  func toldWithEntry() throws {
    var chat = try Chat()
    try chat.network.file.edit {
      try $0.apply([.setRealmList([PermissionEntry(.everyone, .all.subtracting(.modifySchema))])])
    }
    try chat.settle()
    try chat.network.write(
      chat.ben, [.addTable(AddTable(table: "Mine", primaryKey: PrimaryKeyColumn(field: "id", type: .int)))])
    try chat.network.upload(chat.ben)
    try chat.network.write(chat.full, Chat.room(1, [("everyone", .all)]))
    try chat.network.upload(chat.full)
    let client = chat.network.clients[chat.ben]
    let cursor = try client.history.progress().download
    var scan = try chat.network.server.viewScan(
      for: client.ident, from: cursor, view: ViewRequest(held: client.held, wanted: client.held),
      access: client.access, byteLimit: .max)
    let others = scan.entries
    let told = try chat.network.server.undoneUploads(of: client.ident, after: cursor.server, in: &scan)
    #expect(told.flatMap(\.objects) == [ObjectReference(className: "Mine", key: .null)])
    let added = try #require(scan.entries.first)
    #expect(added.cursor.server == told.first?.version)
    #expect(added.cursor.client == others.first?.cursor.client)
    #expect(Array(scan.entries.dropFirst()) == others)
    #expect(!others.isEmpty)
    let origin = ChangesetOrigin(timestamp: added.timestamp, file: added.origin)
    #expect(try Changeset(decoding: Array(added.changeset), origin: origin).instructions.isEmpty)
  }

  @Test("what is written of a refused class or property is refused, in later uploads as well")
  func writesOfRefusedSchema() throws {
    var chat = try Chat()
    try chat.write(chat.ann, Chat.room(1, [("everyone", .all)]))
    try chat.network.file.edit {
      try $0.apply([.setRealmList([PermissionEntry(.everyone, .all.subtracting(.modifySchema))])])
    }
    try chat.settle()
    let (room, mine) = (Chat.room(1), ObjectReference(className: "Mine", key: .int(1)))
    let (roomClass, mineClass) = (
      ObjectReference(className: "Room", key: .null), ObjectReference(className: "Mine", key: .null)
    )
    // In the transaction of the declaration, in the next one, and in an upload after it.
    try chat.network.write(
      chat.ben,
      [
        .addTable(AddTable(table: "Mine", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
        LinkedRealm.column("Mine", "text", .string), LinkedRealm.column("Room", "mine", .string),
        Chat.create(mine), Chat.set(mine, "text", .string("a")), Chat.set(room, "mine", .string("a")),
      ])
    try chat.network.write(chat.ben, [Chat.set(room, "mine", .string("b")), Chat.set(room, "title", .string("b"))])
    try chat.settle()
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [mine, mineClass, roomClass])
    #expect(try chat.server(room, "title") == .value(.string("b")))

    chat.network.clients[chat.ben].refusals = []
    try chat.write(
      chat.ben,
      [
        Chat.create(mine), Chat.set(mine, "text", .string("c")), Chat.set(room, "mine", .string("c")),
        Chat.set(room, "title", .string("c")),
      ])
    #expect(chat.network.clients[chat.ben].refusals.map(\.object) == [mine, mineClass, roomClass])
    #expect(try chat.server(room, "title") == .value(.string("c")))
    #expect(try chat.exists(mine) == false)
    // A link to an object of the class, and a property of it.
    chat.network.clients[chat.ben].refusals = []
    let note = ObjectReference(className: "Note", key: .int(1))
    try chat.write(
      chat.ben,
      [
        LinkedRealm.column("Mine", "more", .string), Chat.create(note), Chat.set(note, "about", .link(mine)),
        Chat.set(room, "title", .string("d")),
      ])
    #expect(chat.network.clients[chat.ben].refusals.map(\.object).contains(mineClass))
    #expect(try chat.server(room, "title") == .value(.string("d")))
    // Once somebody else adds the property, it is one like others.
    chat.network.clients[chat.ben].refusals = []
    try chat.network.write(chat.full, [LinkedRealm.column("Room", "mine", .string)])
    try chat.network.upload(chat.full)
    try chat.write(chat.ben, [Chat.set(room, "mine", .string("e"))])
    #expect(chat.network.clients[chat.ben].refusals == [])
    #expect(try chat.server(room, "mine") == .value(.string("e")))
  }
}

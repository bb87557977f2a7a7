import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Clients of flexible sync know none of the classes of permissions: nothing that they are sent may name one.
@Suite("what clients of apps are sent of a realm with permissions")
struct WithheldPermissionsTests {
  private typealias Chat = ChatScene

  private static let room = ObjectReference(className: "Room", key: .int(1))
  private static let role = Payload.link(Chat.role("everyone"))
  private static let other = Payload.link(ObjectReference(className: "Room", key: .int(2)))

  /// Rooms as a client of the platform may declare them, with links to classes of permissions in every place.
  private static let schema: [Instruction] = [
    .addTable(AddTable(table: "Room", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addTable(AddTable(table: "Part", kind: .embedded, primaryKey: nil)),
    LinkedRealm.column("Room", "title", .string),
    LinkedRealm.column("Room", "owner", .link, isNullable: true, to: "__User"),
    LinkedRealm.column("Room", "guests", .link, .set, to: "__User"),
    LinkedRealm.column("Room", "entry", .link, isNullable: true, to: "__Permission"),
    LinkedRealm.column("Room", "roles", .link, .dictionary, isNullable: true, to: "__Role"),
    LinkedRealm.column("Room", "part", .link, isNullable: true, to: "Part"),
    LinkedRealm.column("Room", "parts", .link, .list, to: "Part"),
    LinkedRealm.column("Part", "note", .string),
    LinkedRealm.column("Part", "acl", .link, .list, to: "__Permission"),
    LinkedRealm.column("Part", "who", .link, isNullable: true, to: "__User"),
    LinkedRealm.column("Room", "any", nil, isNullable: true),
    LinkedRealm.column("Room", "list", nil, .list, isNullable: true),
    LinkedRealm.column("Room", "set", nil, .set, isNullable: true),
    LinkedRealm.column("Room", "map", nil, .dictionary, isNullable: true),
  ]

  private static func place(_ field: String, _ path: PathElement...) -> Target {
    Target(object: room, field: field, path: path)
  }

  private static func update(_ target: Target, _ payload: Payload) -> Instruction {
    .update(Update(target: target, payload: payload))
  }

  private static func insert(_ target: Target, _ payload: Payload, of count: UInt32) -> Instruction {
    .arrayInsert(ArrayInsert(target: target, payload: payload, priorSize: count))
  }

  private static let content: [Instruction] =
    [
      Chat.create(room), Chat.create(ObjectReference(className: "Room", key: .int(2))),
      Chat.set(room, "title", .string("a")),
    ]
    + Chat.grant(1, to: "everyone", .all)
    + [
      Chat.set(room, "owner", .link(Chat.user("ann"))), Chat.set(room, "entry", .link(Chat.entry(1))),
      .setInsert(SetInsert(target: place("guests"), payload: .link(Chat.user("ann")))),
      update(place("roles", .name("a")), role),
      Chat.set(room, "part", .objectValue), update(place("part", .name("note")), .string("x")),
      update(place("part", .name("who")), .link(Chat.user("ann"))),
      insert(place("part", .name("acl"), .index(0)), .link(Chat.entry(1)), of: 0),
      insert(place("parts", .index(0)), .objectValue, of: 0),
      update(place("parts", .index(0), .name("note")), .string("y")),
      insert(place("parts", .index(0), .name("acl"), .index(0)), .link(Chat.entry(1)), of: 0),
      Chat.set(room, "any", .link(Chat.entry(1))),
      insert(place("list", .index(0)), .int(0), of: 0), insert(place("list", .index(1)), role, of: 1),
      insert(place("list", .index(2)), other, of: 2),
      .setInsert(SetInsert(target: place("set"), payload: role)),
      .setInsert(SetInsert(target: place("set"), payload: .int(7))),
      update(place("map", .name("r")), role), update(place("map", .name("n")), .int(8)),
    ]

  private static let changes: [Instruction] = [
    insert(place("list", .index(3)), .int(4), of: 3),
    .arrayMove(ArrayMove(target: place("list", .index(0)), destination: 2, priorSize: 4)),
    .update(Update(target: place("list", .index(1)), payload: role, priorSize: 4)),
    .arrayErase(ArrayErase(target: place("list", .index(0)), priorSize: 4)),
    .setErase(SetErase(target: place("set"), payload: role)),
    .arrayErase(ArrayErase(target: place("part", .name("acl"), .index(0)), priorSize: 1)),
    update(place("parts", .index(0), .name("note")), .string("z")), Chat.set(room, "title", .string("b")),
  ]

  @Test("nothing names a class of permissions, and the rest is in its place", arguments: [true, false])
  func links(isThereFirst: Bool) throws {
    var network = try ViewNetwork([])
    try network.file.edit { editor in
      try editor.openPermissions()
      for user in ["ann", "ben"] as [UserId] { try editor.connect(user) }
    }
    let full = try network.add(queries: nil)
    func addClient() throws -> Int {
      let number = try network.add(queries: #"{"Room":"TRUEPREDICATE"}"#, access: ViewAccess(user: "ben"))
      network.clients[number].isOfApp = true
      return number
    }
    var client = 0
    if isThereFirst { client = try addClient() }
    network.watch = { _, entries in
      for entry in entries {
        let origin = ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
        for instruction in try Changeset(decoding: Array(entry.changeset), origin: origin).instructions {
          #expect(!"\(instruction)".contains("__"))
        }
      }
    }
    try network.settle()
    try network.write(full, Self.schema)
    try network.settle()
    try network.write(full, Self.content)
    try network.settle()
    if !isThereFirst { client = try addClient() }
    try network.settle()
    func fields() throws -> [String: StateDump.Item] {
      try #require(try network.dump(client).objects["Room"]?[Self.room.key])
    }
    func values(_ payloads: [Payload]) -> StateDump.Item { .list(payloads.compactMap { $0.value.map { .value($0) } }) }
    #expect(
      try fields() == [
        "id": .value(.int(1)), "title": .value(.string("a")), "part": .embedded(["note": .value(.string("x"))]),
        "parts": .list([.embedded(["note": .value(.string("y"))])]), "any": .value(.null),
        "list": values([.int(0), .null, Self.other]), "set": .set([.int(7)]),
        "map": .dictionary(["r": .value(.null), "n": .value(.int(8))]),
      ])
    try network.write(full, Self.changes)
    try network.settle()
    #expect(try fields()["title"] == .value(.string("b")))
    #expect(try fields()["parts"] == .list([.embedded(["note": .value(.string("z"))])]))
    #expect(try fields()["set"] == .set([.int(7)]))
    // 0 - role - other - 4; role - other - 0 - 4; role - role - 0 - 4; role - 0 - 4.
    #expect(try fields()["list"] == values([.null, .int(0), .int(4)]))
  }
}

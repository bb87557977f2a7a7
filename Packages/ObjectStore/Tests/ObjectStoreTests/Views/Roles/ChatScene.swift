import ChangesetOT
import DataModel
import Permissions
import PermissionsTestSupport
import Testing

@testable import ObjectStore
@testable import RecordStore

/// A realm of rooms with messages for three users, as the dialogues about roles need it: Ann, Ben and Cy with views that follow
/// links, and a client with everything.
struct ChatScene {
  var network: ViewNetwork
  let ann = 0
  let ben = 1
  let cy = 2
  let full = 3

  /// - Parameters:
  ///   - queries: of the three users.
  ///   - lists: of classes; the others, and the realm, are open.
  init(_ queries: String = #"{"Room":"TRUEPREDICATE"}"#, lists: [(String, Privileges)] = []) throws {
    network = try ViewNetwork([])
    try network.file.edit { editor in
      try editor.openPermissions()
      for user in ["ann", "ben", "cy"] { try editor.connect(UserId(user)) }
    }
    try network.file.commit(RoleRealm.schema, at: OriginTimestamp(0))
    try network.file.edit { editor in
      try editor.openPermissions(ofClasses: RoleRealm.classes)
      for (name, privileges) in lists {
        try editor.apply([.setClassList(name, [PermissionEntry(.everyone, privileges)])])
      }
    }
    for user in ["ann", "ben", "cy"] {
      _ = try network.add(queries: queries, access: ViewAccess(user: user, followsLinks: true))
    }
    _ = try network.add(queries: nil)
    try settle()
  }

  // MARK: Instructions

  static func room(_ key: Int64) -> ObjectReference { ObjectReference(className: "Room", key: .int(key)) }
  static func message(_ key: Int64) -> ObjectReference { ObjectReference(className: "Message", key: .int(key)) }
  static func entry(_ number: UInt64) -> ObjectReference {
    ObjectReference(className: "__Permission", key: .global(GlobalKey(high: 77, low: number)))
  }
  static func role(_ name: String) -> ObjectReference { ObjectReference(className: "__Role", key: .string(name)) }
  static func user(_ name: String) -> ObjectReference { ObjectReference(className: "__User", key: .string(name)) }
  static func create(_ object: ObjectReference) -> Instruction { .createObject(CreateObject(object: object)) }
  static func erase(_ object: ObjectReference) -> Instruction { .eraseObject(EraseObject(object: object)) }

  static func set(_ object: ObjectReference, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: object, field: field), payload: payload))
  }

  static func append(_ element: ObjectReference, to object: ObjectReference, _ field: String, of count: UInt32)
    -> Instruction
  {
    .arrayInsert(
      ArrayInsert(
        target: Target(object: object, field: field, path: [.index(count)]), payload: .link(element), priorSize: count)
    )
  }

  static func removal(from object: ObjectReference, _ field: String, at index: UInt32, of count: UInt32) -> Instruction
  {
    .arrayErase(
      ArrayErase(target: Target(object: object, field: field, path: [.index(index)]), priorSize: count))
  }

  /// A permission object for a role.
  static func grant(_ number: UInt64, to name: String, _ privileges: Privileges) -> [Instruction] {
    let entry = entry(number)
    return [create(entry), set(entry, "role", .link(role(name)))]
      + Privileges.named.filter { privileges.contains($0.privilege) }.map { set(entry, $0.storedProperty, .bool(true)) }
  }

  /// A room with entries for roles, numbered from ten times its key on, and a message of the same key.
  static func room(_ key: Int64, _ entries: [(String, Privileges)]) -> [Instruction] {
    var made: [Instruction] = [
      create(message(key)), set(message(key), "text", .string("~\(key)~")), create(room(key)),
      set(room(key), "title", .string("room \(key)")), append(message(key), to: room(key), "messages", of: 0),
    ]
    for (index, (name, privileges)) in entries.enumerated() {
      let number = UInt64(key) * 10 + UInt64(index)
      made += grant(number, to: name, privileges)
      made.append(append(entry(number), to: room(key), "acl", of: UInt32(index)))
    }
    return made
  }

  // MARK: Steps

  /// Writes for a client, uploads that, and lets everybody have it.
  mutating func write(_ client: Int, _ instructions: [Instruction]) throws {
    try network.write(client, instructions)
    try settle()
  }

  /// Writes several times for a client, uploads each, and then lets everybody have it.
  mutating func write(_ client: Int, oneByOne edits: [[Instruction]]) throws {
    for edit in edits {
      try network.write(client, edit)
      try network.upload(client)
    }
    try settle()
  }

  /// Everybody has everything, and each file holds what the monitor says.
  mutating func settle() throws {
    try network.settle()
    let reference = try ViewReference(network.file)
    let facts = try RoleFacts(network.file)
    for number in [ann, ben, cy] {
      let client = network.clients[number]
      let selections = try #require(client.wanted.map { Self.selections($0.json) })
      let held = try reference.held(selections, followsLinks: true, facts.rights(client.access))
      let expected = reference.expected(held)
      // The refused part of a schema stays in the file of its author.
      let found = try network.dump(number).withoutOwnFields(expected)
      #expect(found == expected, "client \(number): \(StateDump.difference(found, expected))")
    }
    #expect(try network.dump(full) == network.file.dump())
  }

  private static func selections(_ json: String) -> [ViewSelection] {
    json.contains("LIMIT")
      ? [ViewSelection(className: "Room", sort: ("id", true), limit: 2)] : [ViewSelection(className: "Room")]
  }

  func rooms(_ client: Int) throws -> [Int64] { try network.keys(client, "Room") }
  func messages(_ client: Int) throws -> [Int64] { try network.keys(client, "Message") }

  /// A field of an object on the server; nil when there is none.
  func server(_ object: ObjectReference, _ field: String) throws -> StateDump.Item? {
    try network.file.dump().objects[object.className]?[object.key]?[field]
  }

  func exists(_ object: ObjectReference) throws -> Bool {
    try network.file.dump().objects[object.className]?[object.key] != nil
  }

  /// The refusals of a client: object and reason.
  func refusals(_ client: Int) -> [String] { network.clients[client].refusals.map { "\($0.object): \($0.reason)" } }
}

import ChangesetOT
import DataModel
import Permissions
import TestKit

@testable import RecordStore

/// Random writes of one client, allowed or not: to rooms, messages and lists, and to the classes of permissions.
struct RoleEdits {
  let ident: FileIdent
  var number: UInt64 = 0

  init(_ ident: FileIdent) { self.ident = ident }

  // MARK: Objects

  static func some(
    _ className: String, _ dump: StateDump, _ random: inout SeededGenerator, orElse other: ObjectKey
  ) -> ObjectReference {
    let keys = (dump.objects[className] ?? [:]).keys.sorted { "\($0)" < "\($1)" }
    let key = keys.isEmpty || random.oneIn(6) ? other : random.one(of: keys)
    return ObjectReference(className: className, key: key)
  }

  static func room(_ dump: StateDump, _ random: inout SeededGenerator) -> ObjectReference {
    some("Room", dump, &random, orElse: .int(Int64.random(in: 1...5, using: &random)))
  }

  static func message(_ dump: StateDump, _ random: inout SeededGenerator) -> ObjectReference {
    some("Message", dump, &random, orElse: .int(Int64.random(in: 1...8, using: &random)))
  }

  static func person(_ dump: StateDump, _ random: inout SeededGenerator) -> ObjectReference {
    some("Person", dump, &random, orElse: .string(random.one(of: RoleRealm.users)))
  }

  static func role(_ dump: StateDump, _ random: inout SeededGenerator) -> ObjectReference {
    some("__Role", dump, &random, orElse: .string(random.one(of: RoleRealm.roles + ["new"])))
  }

  static func user(_ random: inout SeededGenerator) -> ObjectReference {
    ObjectReference(className: "__User", key: .string(random.one(of: RoleRealm.users)))
  }

  /// A permission object: of the file, or one that a list names and that is not there.
  static func permission(_ dump: StateDump, _ random: inout SeededGenerator) -> ObjectReference? {
    var keys = Set((dump.objects["__Permission"] ?? [:]).keys)
    for name in ["Room", "Person", "__Class", "__Realm"] {
      for fields in (dump.objects[name] ?? [:]).values {
        keys.formUnion((fields["acl"] ?? fields["permissions"])?.links.map(\.key) ?? [])
      }
    }
    if random.oneIn(12) {
      // A guess at one that another client made, or is going to make.
      let (high, low) = (UInt64.random(in: 1...5, using: &random), UInt64.random(in: 1...8, using: &random))
      return ObjectReference(className: "__Permission", key: .global(GlobalKey(high: high, low: low)))
    }
    let all = keys.sorted { "\($0)" < "\($1)" }
    return all.isEmpty ? nil : ObjectReference(className: "__Permission", key: random.one(of: all))
  }

  static func set(_ object: ObjectReference, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: object, field: field), payload: payload))
  }

  static func create(_ object: ObjectReference) -> Instruction { .createObject(CreateObject(object: object)) }

  static func count(_ object: ObjectReference, _ field: String, _ dump: StateDump) -> Int {
    if case .list(let items)? = dump.objects[object.className]?[object.key]?[field] { items.count } else { 0 }
  }

  static func insert(_ object: ObjectReference, _ field: String, _ element: ObjectReference, at count: Int)
    -> Instruction
  {
    .arrayInsert(
      ArrayInsert(
        target: Target(object: object, field: field, path: [.index(UInt32(count))]), payload: .link(element),
        priorSize: UInt32(count)))
  }

  static func eraseSome(
    _ object: ObjectReference, _ field: String, _ dump: StateDump, _ random: inout SeededGenerator
  ) -> [Instruction] {
    let count = count(object, field, dump)
    guard count > 0 else { return [] }
    if random.oneIn(5) {
      return [.clear(Clear(target: Target(object: object, field: field), collection: .list))]
    }
    let index = PathElement.index(UInt32(Int.random(in: 0..<count, using: &random)))
    return [
      .arrayErase(ArrayErase(target: Target(object: object, field: field, path: [index]), priorSize: UInt32(count)))
    ]
  }

  /// A new permission object for a role.
  mutating func grant(
    _ random: inout SeededGenerator
  ) -> (object: ObjectReference, instructions: [Instruction]) {
    number += 1
    let object = ObjectReference(
      className: "__Permission", key: .global(GlobalKey(high: ident.rawValue, low: number)))
    let role = ObjectReference(className: "__Role", key: .string(random.one(of: RoleRealm.roles)))
    return (object, [Self.create(object), Self.set(object, "role", .link(role))] + flags(object, &random))
  }

  func flags(_ object: ObjectReference, _ random: inout SeededGenerator) -> [Instruction] {
    let privileges = RoleRealm.privileges(&random)
    return Privileges.named.filter { privileges.contains($0.privilege) }.map {
      Self.set(object, $0.storedProperty, .bool(true))
    }
  }

  // MARK: Writes

  /// A write; none when the file lacks what it is about.
  ///
  /// - Parameter secret: makes a text that was never written before.
  mutating func edit(_ dump: StateDump, _ random: inout SeededGenerator, secret: () -> String) -> [Instruction] {
    guard dump.objects["Room"] != nil else { return [] }
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<3: return room(dump, &random, secret)
    case 3..<6: return post(dump, &random, secret)
    case 6..<9: return content(dump, &random, secret)
    case 9, 10:
      let objects = [
        Self.room(dump, &random), Self.message(dump, &random), Self.person(dump, &random), Self.role(dump, &random),
        Self.user(&random), Self.permission(dump, &random) ?? Self.room(dump, &random),
        ObjectReference(className: "__Class", key: .string(random.one(of: RoleRealm.classes))),
      ]
      let object = random.one(of: objects)
      return [.eraseObject(EraseObject(object: object))]
    case 11..<16: return list(dump, &random)
    case 16..<19: return permission(dump, &random)
    case 19..<22: return role(dump, &random)
    default: return schema(&random)
    }
  }

  private mutating func room(
    _ dump: StateDump, _ random: inout SeededGenerator, _ secret: () -> String
  ) -> [Instruction] {
    let isPerson = random.oneIn(4)
    let object =
      isPerson
      ? ObjectReference(className: "Person", key: .string(random.one(of: RoleRealm.users)))
      : ObjectReference(className: "Room", key: .int(Int64.random(in: 1...5, using: &random)))
    guard dump.objects[object.className]?[object.key] == nil else { return [] }
    var made = [Self.create(object), Self.set(object, isPerson ? "name" : "title", .string(secret()))]
    let lines = random.oneIn(5) ? 0 : Int.random(in: 1...2, using: &random)
    for index in 0..<lines {
      if random.oneIn(4), let shared = Self.permission(dump, &random) {
        made.append(Self.insert(object, "acl", shared, at: index))
      } else {
        let (permission, instructions) = grant(&random)
        made = instructions + made + [Self.insert(object, "acl", permission, at: index)]
      }
    }
    return made
  }

  private func post(
    _ dump: StateDump, _ random: inout SeededGenerator, _ secret: () -> String
  ) -> [Instruction] {
    let message = Self.message(dump, &random)
    let room = Self.room(dump, &random)
    var made: [Instruction] = []
    if dump.objects["Message"]?[message.key] == nil {
      made = [
        Self.create(message), Self.set(message, "text", .string(secret())),
        Self.set(message, "n", .int(Int64.random(in: 0...6, using: &random))),
      ]
      if random.oneIn(2) { made.append(Self.set(message, "author", .link(Self.person(dump, &random)))) }
    }
    guard dump.objects["Room"]?[room.key] != nil else { return made }
    if random.oneIn(4) { return made + [Self.set(room, "pinned", .link(message))] }
    return made + [Self.insert(room, "messages", message, at: Self.count(room, "messages", dump))]
  }

  private func content(
    _ dump: StateDump, _ random: inout SeededGenerator, _ secret: () -> String
  ) -> [Instruction] {
    let (room, message, person) = (
      Self.room(dump, &random), Self.message(dump, &random), Self.person(dump, &random)
    )
    let note = ObjectReference(className: "Note", key: .int(Int64.random(in: 1...3, using: &random)))
    func exists(_ object: ObjectReference) -> Bool { dump.objects[object.className]?[object.key] != nil }
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: return exists(room) ? [Self.set(room, "title", .string(secret()))] : []
    case 2: return exists(message) ? [Self.set(message, "text", .string(secret()))] : []
    case 3:
      return exists(message) ? [Self.set(message, "n", .int(Int64.random(in: 0...6, using: &random)))] : []
    case 4: return exists(person) ? [Self.set(person, "name", .string(secret()))] : []
    case 5: return exists(room) ? Self.eraseSome(room, "messages", dump, &random) : []
    case 6 where dump.hasField("room", of: "Message") && random.oneIn(2):
      return exists(message) ? [Self.set(message, "room", random.oneIn(3) ? .null : .link(room))] : []
    case 6: return exists(message) ? [Self.set(message, "author", random.oneIn(2) ? .null : .link(person))] : []
    default:
      let target = random.one(of: [room, message, person, Self.permission(dump, &random) ?? room])
      let about = Self.set(note, "about", random.oneIn(4) ? .null : .link(target))
      return exists(note) ? [about] : [Self.create(note), Self.set(note, "text", .string(secret())), about]
    }
  }
}

extension StateDump {
  /// Whether the objects of a class have a field.
  func hasField(_ name: String, of className: String) -> Bool { objects[className]?.values.first?[name] != nil }
}

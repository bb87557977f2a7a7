import ChangesetOT
import DataModel
import Permissions
import TestKit

@testable import RecordStore

/// Writes about permissions and the schema.
extension RoleEdits {
  /// A change of a list: of a room, a person, a class, or the realm.
  mutating func list(_ dump: StateDump, _ random: inout SeededGenerator) -> [Instruction] {
    let holder: ObjectReference
    var field = "permissions"
    switch Int.random(in: 0..<8, using: &random) {
    case 0: holder = ObjectReference(className: "__Realm", key: .int(0))
    case 1, 2:
      let name = random.one(of: RoleRealm.classes + RoleRealm.permissionClasses)
      holder = ObjectReference(className: "__Class", key: .string(name))
    case 3: (holder, field) = (Self.person(dump, &random), "acl")
    case 4 where dump.hasField("acl", of: "Message"): (holder, field) = (Self.message(dump, &random), "acl")
    case 5 where dump.hasField("acl", of: "Note"):
      (holder, field) = (Self.some("Note", dump, &random, orElse: .int(1)), "acl")
    default: (holder, field) = (Self.room(dump, &random), "acl")
    }
    var made: [Instruction] = []
    if dump.objects[holder.className]?[holder.key] == nil {
      guard holder.className == "__Class", random.oneIn(2) else { return [] }
      made.append(Self.create(holder))
    }
    let count = Self.count(holder, field, dump)
    if made.isEmpty, count > 0, random.oneIn(3) { return Self.eraseSome(holder, field, dump, &random) }
    if random.oneIn(3), let shared = Self.permission(dump, &random) {
      return made + [Self.insert(holder, field, shared, at: count)]
    }
    let (permission, instructions) = grant(&random)
    return made + instructions + [Self.insert(holder, field, permission, at: count)]
  }

  /// A change of a permission object: its flags, its role; made again after it was erased.
  mutating func permission(_ dump: StateDump, _ random: inout SeededGenerator) -> [Instruction] {
    guard let object = Self.permission(dump, &random) else { return [] }
    let exists = dump.objects["__Permission"]?[object.key] != nil
    let role = Self.set(object, "role", random.oneIn(6) ? .null : .link(Self.role(dump, &random)))
    if !exists { return [Self.create(object), role] + flags(object, &random) }
    if random.oneIn(5) { return [role] }
    if random.oneIn(5) {
      // A field that somebody added to a class of permissions.
      let holders = ["__Realm", "__Class", "__Role", "__Permission"]
      let holder = Self.some(random.one(of: holders), dump, &random, orElse: .int(0))
      let fields = dump.objects[holder.className]?[holder.key] ?? [:]
      return fields.keys.filter { $0.hasPrefix("field") }.sorted().prefix(1).map { Self.set(holder, $0, .string("x")) }
    }
    if random.oneIn(8) {
      return [.eraseObject(EraseObject(object: object)), Self.create(object), role] + flags(object, &random)
    }
    let flag = random.one(of: Privileges.named.map(\.storedProperty))
    return [Self.set(object, flag, .bool(!random.oneIn(3)))]
  }

  /// A change of the members of a role; roles and users that are made.
  func role(_ dump: StateDump, _ random: inout SeededGenerator) -> [Instruction] {
    let role = Self.role(dump, &random)
    let user = Self.user(&random)
    var made: [Instruction] = []
    if random.oneIn(4) {
      return dump.objects["__User"]?[user.key] == nil
        ? [Self.create(user), Self.set(user, "role", .link(role))] : [Self.set(user, "role", .link(role))]
    }
    if dump.objects["__Role"]?[role.key] == nil { made.append(Self.create(role)) }
    let count = Self.count(role, "members", dump)
    if made.isEmpty, random.oneIn(3) { return Self.eraseSome(role, "members", dump, &random) }
    return made + [Self.insert(role, "members", user, at: count)]
  }

  mutating func schema(_ random: inout SeededGenerator) -> [Instruction] {
    number += 1
    let name = "\(ident.rawValue)x\(number)"
    if random.oneIn(3) {
      let object = ObjectReference(className: "Class\(name)", key: .int(1))
      return [
        .addTable(AddTable(table: object.className, primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
        LinkedRealm.column(object.className, "text", .string), Self.create(object),
        Self.set(object, "text", .string("new")),
      ]
    }
    let holder = random.one(of: RoleRealm.classes + ["__Realm", "__Class", "__Role", "__Permission"])
    return [LinkedRealm.column(holder, "field\(name)", .string)]
  }
}

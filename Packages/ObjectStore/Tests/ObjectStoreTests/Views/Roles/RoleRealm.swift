import ChangesetOT
import DataModel
import Permissions
import TestKit

@testable import RecordStore

/// The classes of ``RoleWorld``, the queries over them, and random permissions.
enum RoleRealm {
  static let schema: [Instruction] = [
    .addTable(AddTable(table: "Room", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addTable(AddTable(table: "Message", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addTable(AddTable(table: "Person", primaryKey: PrimaryKeyColumn(field: "id", type: .string))),
    .addTable(AddTable(table: "Note", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    LinkedRealm.column("Room", "title", .string),
    LinkedRealm.column("Room", "acl", .link, .list, to: "__Permission"),
    LinkedRealm.column("Room", "messages", .link, .list, to: "Message"),
    LinkedRealm.column("Room", "pinned", .link, isNullable: true, to: "Message"),
    LinkedRealm.column("Message", "text", .string),
    LinkedRealm.column("Message", "n", .int),
    LinkedRealm.column("Message", "author", .link, isNullable: true, to: "Person"),
    LinkedRealm.column("Person", "name", .string),
    LinkedRealm.column("Person", "acl", .link, .list, to: "__Permission"),
    LinkedRealm.column("Note", "text", .string),
    LinkedRealm.column("Note", "about", nil, isNullable: true),
  ]

  /// Columns that a realm may get later.
  static let laterColumns: [Instruction] = [
    LinkedRealm.column("Message", "room", .link, isNullable: true, to: "Room"),
    LinkedRealm.column("Person", "friend", .link, isNullable: true, to: "Person"),
    LinkedRealm.column("Message", "acl", .link, .list, to: "__Permission"),
    LinkedRealm.column("Note", "acl", .link, .list, to: "__Permission"),
  ]

  static let classes = ["Room", "Message", "Person", "Note"]
  static let permissionClasses = ["__Realm", "__Class", "__Role", "__User", "__Permission"]
  static let users = ["ann", "ben", "cy"]
  static let roles = ["everyone", "editors", "guests", "__User:ann", "__User:ben", "__User:cy"]

  private static let parts: [String: SelectionParts] = [
    "Room": SelectionParts(
      conditions: [
        "TRUEPREDICATE", "TRUEPREDICATE", "id < 4", "messages.@count > 0", "pinned != nil", "ANY messages.n > 3",
        "pinned.author.id == 'ann'",
      ], paths: ["id", "title", "pinned.n"]),
    "Message": SelectionParts(
      conditions: [
        "TRUEPREDICATE", "TRUEPREDICATE", "n > 3", "n < 5", "author == nil", "author.id == 'ben'",
        "@links.Room.messages.@count > 0",
      ],
      paths: ["n", "author.id"], includes: [("Room", "messages"), ("Room", "pinned")]),
    "Person": SelectionParts(
      conditions: [
        "TRUEPREDICATE", "id != 'ann'", "@links.Message.author.n > 2", "@links.@count > 0",
        "ANY @links.Message.author.author.id != 'cy'",
      ],
      paths: ["id", "name"],
      includes: [("Message", "author")]),
    "Note": SelectionParts(conditions: ["TRUEPREDICATE", "about != nil", "id > 1"], paths: ["id"]),
  ]

  /// The objects that queries may include: for those of a class, those of an origin that link to them in a field.
  static let includes: [(className: String, origin: String, field: String)] = parts.flatMap { name, parts in
    parts.includes.map { (name, $0.0, $0.1) }
  }

  /// Queries for some of the classes.
  static func selections(_ random: inout SeededGenerator) -> [ViewSelection] {
    var selections = parts.sorted { $0.key < $1.key }.flatMap { name, parts -> [ViewSelection] in
      if random.oneIn(4) { return [] }
      return (0..<(random.oneIn(5) ? 2 : 1)).map { _ in
        random.oneIn(3) ? ViewSelection(className: name) : parts.selection(of: name, &random)
      }
    }
    for name in permissionClasses where random.oneIn(8) { selections.append(ViewSelection(className: name)) }
    return selections
  }

  /// Most privileges, at times all.
  static func privileges(_ random: inout SeededGenerator) -> Privileges {
    if random.oneIn(4) { return .all }
    let some = random.next() | random.next()
    return Privileges(rawValue: UInt8(truncatingIfNeeded: random.oneIn(2) ? some : some | random.next()))
  }

  static func list(_ random: inout SeededGenerator) -> AccessList {
    if random.oneIn(20) { return .empty }
    var entries = [PermissionEntry(RoleName(random.one(of: roles)), privileges(&random))]
    if !random.oneIn(5) { entries.append(PermissionEntry(.everyone, privileges(&random))) }
    if random.oneIn(3) { entries.append(PermissionEntry("editors", .all)) }
    return .entries(entries)
  }

  /// A change as an administrator's script makes it.
  static func change(_ random: inout SeededGenerator) -> PermissionTableChange {
    let user = UserId(random.one(of: users))
    let role = RoleName(random.one(of: roles))
    return switch Int.random(in: 0..<14, using: &random) {
    case 0..<3: .addMember(user, to: role)
    case 3..<6: .removeMember(user, from: role)
    case 6: .setRealmList(random.oneIn(10) ? .missing : list(&random))
    case 7..<10: .setClassList(random.one(of: classes), random.oneIn(6) ? .missing : list(&random))
    case 10: .setClassList(random.one(of: permissionClasses), list(&random))
    case 11: random.oneIn(3) ? .removeRole(role) : .addRole(role)
    case 12: random.oneIn(3) ? .removeUser(user) : .addUser(user)
    default: .setClassList(random.one(of: classes), .open)
    }
  }
}

import ChangesetOT
import DataModel
import Permissions
import PermissionsTestSupport

@testable import ObjectStore
@testable import RecordStore

/// A world of the reference monitor in a realm file, with the objects that its questions are about.
struct StoredWorld {
  let file: RealmFile

  /// The class of objects that have lists, and of those that have none.
  static let schema = Schema([
    ObjectSchema(
      className: "Dog", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int),
        Property(name: "acl", type: .object, collection: .list, objectClassName: "__Permission"),
      ]),
    ObjectSchema(className: "Plain", primaryKey: "id", properties: [Property(name: "id", type: .int)]),
  ])

  init(_ world: World, file: RealmFile? = nil) throws {
    self.file = try file ?? memoryFile()
    try self.file.edit { editor in
      try editor.addClasses(Schema(PermissionSchema.schema.objectSchema + Self.schema.objectSchema))
      try editor.apply(Self.changes(world))
    }
  }

  static func changes(_ world: World) -> [PermissionTableChange] {
    var changes = world.users.map { PermissionTableChange.addUser(UserId($0)) }
    for (role, members) in world.members.sorted(by: { $0.key < $1.key }) {
      changes.append(.addRole(RoleName(role)))
      changes += members.sorted().map { .addMember(UserId($0), to: RoleName(role)) }
    }
    changes.append(.setRealmList(AccessList(world.realmList)))
    return changes + world.classLists.sorted { $0.key < $1.key }.map { .setClassList($0.key, AccessList($0.value)) }
  }

  /// Stores an object with a list, or one of a class without.
  @discardableResult
  func store(_ list: [Line]?, id: Int64) throws -> ObjectReference {
    let object = ObjectReference(className: list == nil ? "Plain" : "Dog", key: .int(id))
    try file.edit { editor in
      try editor.create(object)
      var links: [StateDump.Item] = []
      for line in list ?? [] { links.append(.value(.link(try Self.permission(line, editor)))) }
      if list != nil { try editor.set(["acl": .list(links)], of: object) }
    }
    return object
  }

  static func permission(_ line: Line, _ editor: RealmEditor) throws -> ObjectReference {
    let entry = ObjectReference(className: "__Permission", key: try editor.makeKey(for: "__Permission"))
    try editor.create(entry)
    let role = ObjectReference(className: "__Role", key: .string(line.role))
    try editor.create(role)
    var fields: [String: StateDump.Item] = ["role": .value(.link(role))]
    for (privilege, _, property) in Privileges.named {
      fields[property] = .value(.bool(Privileges(line.rights).contains(privilege)))
    }
    try editor.set(fields, of: entry)
    return entry
  }
}

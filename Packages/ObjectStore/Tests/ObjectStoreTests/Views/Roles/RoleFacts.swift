import ChangesetOT
import DataModel
import PermissionsTestSupport

@testable import ObjectStore
@testable import RecordStore

/// The permissions of a realm as the reference monitor says them, read from a dump of its state.
struct RoleFacts {
  let dump: StateDump
  let world: World
  /// The fields that are access lists, by class.
  private let listFields: [String: [String]]

  init(_ dump: StateDump, _ catalog: Catalog) {
    self.dump = dump
    listFields = Dictionary(
      uniqueKeysWithValues: catalog.classes.filter { $0.kind == .topLevel }.map { layout in
        (layout.name, layout.fields.filter { $0.collection == .list && $0.target == "__Permission" }.map(\.name))
      })
    var world = World()
    for key in (dump.objects["__User"] ?? [:]).keys { if case .string(let id) = key { world.users.append(id) } }
    for (key, fields) in dump.objects["__Role"] ?? [:] {
      guard case .string(let name) = key else { continue }
      world.members[name] = []
      for user in fields["members"]?.links ?? [] where dump.objects["__User"]?[user.key] != nil {
        if case .string(let id) = user.key { world.members[name]?.insert(id) }
      }
    }
    if let realm = dump.objects["__Realm"]?[.int(0)] { world.realmList = Self.lines(realm["permissions"], dump) }
    for (key, fields) in dump.objects["__Class"] ?? [:] {
      if case .string(let name) = key { world.classLists[name] = Self.lines(fields["permissions"], dump) }
    }
    self.world = world
  }

  /// The entries of a list: those that exist and have a role.
  private static func lines(_ item: StateDump.Item?, _ dump: StateDump) -> [Line] {
    (item?.links ?? []).compactMap { line($0.key, dump) }
  }

  /// The entry that a permission object is; nil when there is none, or no role in it.
  func line(_ key: ObjectKey) -> Line? { Self.line(key, dump) }

  private static func line(_ key: ObjectKey, _ dump: StateDump) -> Line? {
    guard let fields = dump.objects["__Permission"]?[key],
      case .string(let role)? = fields["role"]?.links.first?.key
    else { return nil }
    let names: [Right: String] = [
      .read: "canRead", .update: "canUpdate", .delete: "canDelete", .setPermissions: "canSetPermissions",
      .query: "canQuery", .create: "canCreate", .modifySchema: "canModifySchema",
    ]
    return Line(role: role, rights: Set(names.filter { fields[$0.value] == .value(.bool(true)) }.keys))
  }

  /// Whether a field of a class is the access list of its objects.
  func isList(_ className: String, _ field: String) -> Bool { listFields[className]?.contains(field) ?? false }

  /// The entries of the lists of an object; nil when its class has none.
  func list(of object: ObjectReference) -> [Line]? {
    let fields = ["__Realm", "__Class"].contains(object.className) ? [] : listFields[object.className] ?? []
    guard !fields.isEmpty, let content = dump.objects[object.className]?[object.key] else { return nil }
    return fields.flatMap { Self.lines(content[$0], dump) }
  }

  /// An object as deeds name it; a new one of a class with lists has an empty one.
  func thing(_ object: ObjectReference, isNew: Bool = false) -> Thing {
    guard isNew else { return Thing(className: object.className, list: list(of: object)) }
    let hasList = !(listFields[object.className] ?? []).isEmpty && !["__Realm", "__Class"].contains(object.className)
    return Thing(className: object.className, list: hasList ? [] : nil, isNew: true)
  }

  /// The lists that a permission object stands in, those that keep the name of an erased one included.
  func places(of permission: ObjectKey) -> [Place] {
    var places: [Place] = []
    for (name, fields) in listFields.sorted(by: { $0.key < $1.key }) {
      for (key, content) in dump.objects[name] ?? [:]
      where fields.contains(where: { content[$0]?.links.contains { $0.key == permission } ?? false }) {
        switch (name, key) {
        case ("__Realm", .int(0)): places.append(.realm)
        case ("__Class", .string(let name)): places.append(.class(name))
        case ("__Realm", _), ("__Class", _): break
        default: places.append(.thing(thing(ObjectReference(className: name, key: key))))
        }
      }
    }
    return places
  }

  // MARK: Users

  /// The monitor for the user of a client.
  func monitor(_ access: ViewAccess) -> ReferenceMonitor {
    var world = world
    world.administrators = access.isAdministrator ? [access.user] : []
    world.tokens[access.user] = Set(Right.allCases.filter { access.tokenBound >> UInt8($0.rawValue) & 1 != 0 })
    return ReferenceMonitor(world: world)
  }

  /// The answer for a deed; everything is allowed while permissions are not in force.
  func judge(_ access: ViewAccess, _ deed: Deed) -> Verdict {
    world.realmList == nil ? .allowed : monitor(access).judge(access.user, deed)
  }

  /// The rights that decide what a user's view holds.
  func rights(_ access: ViewAccess?) -> ViewRights {
    guard let access, world.realmList != nil else { return ViewRights() }
    let monitor = monitor(access)
    func allows(_ deed: Deed) -> Bool { monitor.judge(access.user, deed) == .allowed }
    func readsClass(_ name: String) -> Bool { allows(.read(Thing(className: name))) }
    let listed = listFields.filter { !$0.value.isEmpty }.keys
    return ViewRights(
      subscribes: { readsClass($0) && allows(.subscribe($0)) }, readsClass: readsClass,
      reads: { allows(.read(thing($0))) },
      listedClasses: access.isAdministrator ? [] : Set(listed).subtracting(["__Realm", "__Class"]))
  }
}

extension RoleFacts {
  /// The facts of a file.
  init(_ file: RealmFile) throws { try self.init(file.latestReadView()) }

  /// The facts of a state, that of an open transaction included.
  init(_ readView: ReadView) throws { self.init(try readView.dump(), readView.catalog) }
}

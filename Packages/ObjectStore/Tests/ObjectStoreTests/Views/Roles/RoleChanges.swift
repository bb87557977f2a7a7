import ChangesetOT
import DataModel
import PermissionsTestSupport

@testable import ObjectStore
@testable import RecordStore

/// The deeds of the reference monitor that a changeset does, one instruction after another.
struct RoleChanges {
  /// The part of the changeset that a verdict is about.
  enum Part: Hashable {
    case object(ObjectReference), table(String), column(String, String)
    case properties(ObjectReference), lists(ObjectReference), erasure(ObjectReference)
  }

  private let before: RoleFacts
  private let catalog: Catalog
  private var created: Set<ObjectReference> = []
  private var erased: Set<ObjectReference> = []
  private var declared: Set<String> = []
  /// The classes that are added, or to which properties are.
  private var added: [String: Set<String>] = [:]
  /// Changes of lists and permission objects, which are judged by their outcome.
  private var open: [(part: Part, object: ObjectReference)] = []

  init(_ before: RoleFacts, _ catalog: Catalog) {
    self.before = before
    self.catalog = catalog
  }

  private func exists(_ object: ObjectReference) -> Bool {
    before.dump.objects[object.className]?[object.key] != nil
  }

  /// The deeds of an instruction that are judged by what was before.
  mutating func deeds(of instruction: Instruction) -> [(Part, ObjectReference, Deed)] {
    switch instruction {
    case .addTable(let it):
      guard catalog[it.table] == nil, declared.insert(it.table).inserted else { return [] }
      return [(.table(it.table), ObjectReference(className: it.table, key: .null), .addClass)]
    case .addColumn(let it):
      guard let layout = catalog[it.table], layout.field(it.field) == nil else { return [] }
      return [(.column(it.table, it.field), ObjectReference(className: it.table, key: .null), .addProperty(it.table))]
    case .createObject(let it): return creation(it.object)
    case .eraseObject(let it): return erasure(it.object)
    default: return instruction.target.map { change($0.object, $0.field) } ?? []
    }
  }

  private mutating func creation(_ object: ObjectReference) -> [(Part, ObjectReference, Deed)] {
    guard !exists(object) || erased.contains(object), created.insert(object).inserted else { return [] }
    switch object.className {
    case "__Realm", "__Class":
      open.append((.object(object), object))
      return []
    case "__Permission" where !before.places(of: object.key).isEmpty:
      open.append((.object(object), object))
      return [(.object(object), object, .create(object.className))]
    default: return [(.object(object), object, .create(object.className))]
    }
  }

  private mutating func erasure(_ object: ObjectReference) -> [(Part, ObjectReference, Deed)] {
    let isNew = created.contains(object)
    guard isNew || exists(object) else { return [] }
    if !isNew { erased.insert(object) }
    let deed: Deed
    switch (object.className, object.key) {
    case ("__Realm", _): deed = .relistRealm(nil)
    case ("__Class", .string(let name)): deed = .relistClass(name, nil)
    case ("__Permission", let key): deed = .deletePermission(isNew: isNew, before.places(of: key))
    default: deed = .delete(before.thing(object, isNew: isNew))
    }
    return [(.erasure(object), object, deed)]
  }

  private mutating func change(_ object: ObjectReference, _ field: String) -> [(Part, ObjectReference, Deed)] {
    let isNew = created.contains(object)
    guard isNew || exists(object) else { return [] }
    if before.isList(object.className, field) {
      if !(isNew && ["__Realm", "__Class"].contains(object.className)) { open.append((.lists(object), object)) }
      return []
    }
    switch object.className {
    case "__Role" where field == "members": return [(.properties(object), object, .changeMembers(isNew: isNew))]
    case "__Permission":
      open.append((.properties(object), object))
      return []
    default: return [(.properties(object), object, .update(before.thing(object, isNew: isNew)))]
    }
  }

  /// The part of an instruction that needs a class or a property which is not there, with the object that is told. The
  /// instructions of the changeset that are not refused are shown one after another.
  mutating func lacking(_ instruction: Instruction) -> (Part, ObjectReference)? {
    func told(_ name: String) -> ObjectReference { ObjectReference(className: name, key: .null) }
    func hasClass(_ name: String) -> Bool { catalog[name] != nil || added[name] != nil }
    if case .addTable(let it) = instruction { added[it.table] = added[it.table] ?? [] }
    if case .addColumn(let it) = instruction, hasClass(it.table) {
      if let target = it.linkTarget, !target.isEmpty, !hasClass(target) {
        return (.column(it.table, it.field), told(it.table))
      }
      added[it.table, default: []].insert(it.field)
    }
    if case .addColumn(let it) = instruction { return hasClass(it.table) ? nil : (.table(it.table), told(it.table)) }
    guard let object = instruction.object else { return nil }
    guard hasClass(object.className) else { return (.table(object.className), told(object.className)) }
    guard let field = instruction.target?.field else { return nil }
    if catalog[object.className]?.field(field) == nil, added[object.className]?.contains(field) != true {
      return (.column(object.className, field), told(object.className))
    }
    if case .update(let it) = instruction, case .link(let linked) = it.payload, !hasClass(linked.className) {
      return (.properties(object), object)
    }
    return nil
  }

  /// The deeds that are judged by the lists that come of them.
  func outcomes(in after: RoleFacts) -> [(Part, ObjectReference, Deed)] {
    open.map { part, object in
      let isNew = created.contains(object)
      let deed: Deed
      switch (object.className, object.key) {
      case ("__Realm", _): deed = .relistRealm(after.world.realmList)
      case ("__Class", .string(let name)): deed = .relistClass(name, after.world.classLists[name])
      case ("__Permission", let key):
        // Without a role it is an entry that grants nothing.
        let line = after.line(key) ?? Line(role: "", rights: [])
        deed = .changePermission(line, isNew: isNew, before.places(of: key))
      default: deed = .relist(before.thing(object, isNew: isNew), after.list(of: object))
      }
      return (part, object, deed)
    }
  }
}

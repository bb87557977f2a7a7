import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// Judges by the roles of a realm which instructions of an upload its author may make.
///
/// Every instruction is judged by the permissions and lists as they are before its changeset; what a changeset grants counts
/// from the next one on. A change of a list, or of a permission object, is judged when its outcome is there: what is refused
/// then is left out when the transaction is done again.
///
/// - Complexity: O(*n*) in the instructions and in the entries of the lists that they concern.
struct WriteJudge {
  private let user: UserPermissions
  private let table: PermissionTable
  /// The place of the changeset in the batch, and its client version.
  private let offset: Int
  private let version: ClientVersion
  private let readView: ReadView
  private let permissions: PermissionReader
  /// Objects and declarations of this changeset.
  private var created: Set<ObjectReference> = []
  /// Objects that were there before it and that it erases.
  private var erased: Set<ObjectReference> = []
  private var declared: Set<String> = []
  /// The access lists that it declares of classes that there are, by class.
  private var newLists: [String: Set<String>] = [:]
  private var decided: Set<RefusedPart> = []
  /// The changes of lists and permission objects, whose outcome decides.
  private var open: [(part: RefusedPart, object: ObjectReference, change: OpenChange)] = []
  private(set) var refused: [RefusedPart: Refused] = [:]
  /// The entries of lists that were looked at.
  private(set) var entriesRead = 0
  /// Reasons that were given, so that equal ones are one text in memory.
  private var reasons: Set<String> = []
  private static let mostReasons = 64

  /// A change whose outcome decides.
  private enum OpenChange {
    case realmList
    case classList(String)
    case objectList(ObjectFacts)
    case permission(isNew: Bool, uses: [PermissionUse])

    var isOfPermission: Bool { if case .permission = self { true } else { false } }
  }

  /// - Parameter readView: the state before the changeset, with its links settled.
  init(
    _ user: UserPermissions, _ table: PermissionTable, offset: Int, version: ClientVersion, _ readView: ReadView
  ) {
    self.user = user
    self.table = table
    self.offset = offset
    self.version = version
    self.readView = readView
    permissions = PermissionReader(readView)
  }

  // MARK: Before

  /// Judges the instructions of the changeset before it is applied.
  ///
  /// - Parameter known: what was refused before.
  mutating func judge(_ changeset: Changeset, known: [RefusedPart: Refused]) throws {
    for instruction in changeset.instructions {
      let target = instruction.target
      let isList = target.map { isAccessList($0.field, ofClass: $0.object.className) } ?? false
      if known.contains(instruction, at: offset, isList: isList)
        || refused.contains(instruction, at: offset, isList: isList)
      {
        continue
      }
      switch instruction {
      case .addTable(let it):
        guard readView.catalog[it.table] == nil, declared.insert(it.table).inserted else { continue }
        decide(.table(it.table), ObjectReference(className: it.table, key: .null)) { .addClass(it.table) }
      case .addColumn(let it):
        guard let layout = readView.catalog[it.table], layout.field(it.field) == nil else { continue }
        if it.declaresAccessList(of: layout) { newLists[it.table, default: []].insert(it.field) }
        decide(.column(it.table, it.field), ObjectReference(className: it.table, key: .null)) {
          .addProperty(toClass: it.table)
        }
      case .eraseTable, .eraseColumn: continue
      case .createObject(let it): try judgeCreation(of: it.object)
      case .eraseObject(let it): try judgeErasure(of: it.object)
      case .update, .addInteger, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert, .setErase:
        guard let target else { continue }
        try judgeChange(of: target.object, field: target.field)
      }
    }
  }

  private mutating func judgeCreation(of object: ObjectReference) throws {
    let isAnew = erased.contains(object)
    guard try isAnew || row(of: object) == nil, created.insert(object).inserted else { return }
    // The erasure was decided for the object that was there.
    if isAnew { decided.remove(.object(object)) }
    switch (PermissionClass(rawValue: object.className), object.key) {
    case (.realm, _): open.append((.object(object), object, .realmList))
    case (.class, .string(let name)): open.append((.object(object), object, .classList(name)))
    case (.permission, let key):
      decide(.object(object), object) { .create(inClass: object.className) }
      // Lists keep the names of erased entries: one that is made again is in them at once.
      let uses = try uses(of: key)
      if !uses.isEmpty { open.append((.object(object), object, .permission(isNew: true, uses: uses))) }
    case (.class, _), (.role, _), (.user, _), (nil, _):
      decide(.object(object), object) { .create(inClass: object.className) }
    }
  }

  private mutating func judgeErasure(of object: ObjectReference) throws {
    let isNew = created.contains(object)
    guard try isNew || row(of: object) != nil else { return }
    // An object made anew after a refused erasure is another one in the author's file alone.
    let part = RefusedPart.object(object)
    guard !decided.contains(part) else { return }
    if !isNew { erased.insert(object) }
    switch (PermissionClass(rawValue: object.className), object.key) {
    case (.realm, _): decide(part, object) { .changeRealmList(to: .missing) }
    case (.class, .string(let name)): decide(part, object) { .changeClassList(of: name, to: .missing) }
    case (.permission, let key):
      let uses = try uses(of: key)
      decide(part, object) { .deletePermission(isNew: isNew, usedIn: uses) }
    case (.class, _), (.role, _), (.user, _), (nil, _):
      let facts = try facts(of: object)
      decide(part, object) { .delete(facts) }
    }
  }

  private mutating func judgeChange(of object: ObjectReference, field: String) throws {
    let isNew = created.contains(object)
    guard try isNew || row(of: object) != nil else { return }
    if !isNew, newLists[object.className]?.contains(field) == true {
      guard !decided.contains(.field(object, field)) else { return }
      return leaveOpen(.field(object, field), object, .objectList(try facts(of: object)))
    }
    let part = RefusedPart.properties(object, offset: offset)
    let isList = isAccessList(field, ofClass: object.className)
    switch (PermissionClass(rawValue: object.className), object.key) {
    case (.realm, _) where isList:
      if !isNew { leaveOpen(.lists(object, offset: offset), object, .realmList) }
    case (.class, .string(let name)) where isList:
      if !isNew { leaveOpen(.lists(object, offset: offset), object, .classList(name)) }
    case (.role, .string(let name)) where field == PermissionClass.membersProperty:
      decide(part, object) { .changeMembers(of: RoleName(name), isNew: isNew) }
    case (.permission, let key) where !isList:
      guard !decided.contains(part) else { return }
      let uses = try isNew ? [] : uses(of: key)
      leaveOpen(part, object, .permission(isNew: isNew, uses: uses))
    case (.realm, _), (.class, _), (.role, _), (.user, _), (.permission, _), (nil, _):
      if isList {
        guard !decided.contains(.lists(object, offset: offset)) else { return }
        leaveOpen(.lists(object, offset: offset), object, .objectList(try facts(of: object)))
      } else if !decided.contains(part) {
        let facts = try facts(of: object)
        decide(part, object) { .update(facts) }
      }
    }
  }

  private mutating func leaveOpen(_ part: RefusedPart, _ object: ObjectReference, _ change: OpenChange) {
    if decided.insert(part).inserted { open.append((part, object, change)) }
  }

  // MARK: After

  /// Judges what the changeset made of lists and permission objects, after it was applied.
  ///
  /// - Parameters:
  ///   - readView: the state after the changeset, with its links settled.
  ///   - isLast: whether it is not judged once more, without what is refused now.
  /// - Returns: what is to be left out when the transaction is done again. Lists are judged by the permission objects in them:
  ///   when there is one of these, no list is, unless this is the last time.
  mutating func judgeOutcome(in readView: ReadView, isLast: Bool = false) throws -> [RefusedPart: Refused] {
    guard !open.isEmpty else { return [:] }
    let after = PermissionReader(readView)
    let before = refused
    refused = [:]
    defer { refused = before }
    decided = []
    let permissionsFirst =
      open.filter { $0.change.isOfPermission } + open.filter { !$0.change.isOfPermission }
    for (part, object, change) in permissionsFirst {
      if !isLast, !refused.isEmpty, !change.isOfPermission { break }
      let action: ObjectAction
      switch change {
      case .realmList: action = .changeRealmList(to: try after.realmList())
      case .classList(let name): action = .changeClassList(of: name, to: try after.list(ofClass: name))
      case .objectList(let facts): action = .changeList(of: facts, to: try after.list(of: object))
      case .permission(let isNew, let uses):
        // Without a role it is an entry that grants nothing.
        let old = try permissions.entry(of: object.key)
        let entry = try after.entry(of: object.key) ?? PermissionEntry(old?.role ?? RoleName(""), [])
        action = .changePermission(to: entry, isNew: isNew, usedIn: uses)
      }
      decide(part, object) { action }
    }
    return refused
  }

  // MARK: Facts

  private mutating func decide(_ part: RefusedPart, _ object: ObjectReference, _ action: () -> ObjectAction) {
    guard decided.insert(part).inserted else { return }
    let decision = user.decide(action(), in: table)
    guard !decision.isAllowed else { return }
    if reasons.count >= Self.mostReasons { reasons = [] }
    let reason = reasons.insert("write not allowed: \(action().summary): \(decision.reason)").memberAfterInsert
    refused[part] = Refused(
      offset: offset, write: RefusedWrite(object: object, clientVersion: version, reason: reason))
  }

  private func row(of object: ObjectReference) throws -> RowKey? {
    try readView.catalog[object.className].flatMap { try readView.row(object.key, $0) }
  }

  private mutating func facts(of object: ObjectReference) throws -> ObjectFacts {
    if created.contains(object) {
      let hasList = !(readView.catalog[object.className]?.accessLists.isEmpty ?? true)
      return ObjectFacts(object.className, list: hasList ? .empty : .missing, isNew: true)
    }
    let list = try permissions.list(of: object)
    entriesRead += list.entries.count
    return ObjectFacts(object.className, list: list)
  }

  /// The lists that a permission object is an entry of.
  private mutating func uses(of key: ObjectKey) throws -> [PermissionUse] {
    let uses = try permissions.uses(of: key, isNew: created.contains)
    for case .object(let facts) in uses { entriesRead += 1 + facts.list.entries.count }
    return uses
  }

  private func isAccessList(_ field: String, ofClass name: String) -> Bool {
    readView.catalog[name]?.holdsAccessList(field) ?? false
  }
}

extension AddColumn {
  /// Whether the property is an access list of the objects of a class.
  fileprivate func declaresAccessList(of layout: ClassLayout) -> Bool {
    type == .link && collection == .list && linkTarget == PermissionClass.permission.rawValue
      && layout.kind != .embedded
      && PermissionClass(rawValue: layout.name) == nil
  }
}

extension ClassLayout {
  /// Whether a field is an access list: of the class's objects, or, in the classes of permissions, of the realm or a class.
  func holdsAccessList(_ field: String) -> Bool {
    if let property = PermissionClass(rawValue: name)?.listProperty { return field == property }
    return kind != .embedded && self.field(field)?.holdsPermissions == true
  }
}

extension PermissionReader {
  /// The entry that a permission object is; nil for one that does not exist or has no role.
  func entry(of key: ObjectKey) throws -> PermissionEntry? {
    guard let layout = layouts.permissions, let row = try readView.row(readView.known(key), layout) else { return nil }
    return try entry(row)
  }
}

import ChangesetOT
import DataModel
import Permissions
import QueryLanguage
import StorageEngine

/// Finds what views hold at kept versions of a server's history: queries with the roles of their users, and contents.
///
/// Used from one thread, for one snapshot or between two writes of a transaction.
final class ViewEvaluator {
  let readView: ReadView
  /// The version of the read view.
  let current: ServerVersion
  /// The inverses of every version after the oldest one that is asked for.
  let past: PastStates
  private let memory: ViewMemory?
  /// The newest version whose contents may be remembered: later ones may yet be rolled back.
  private let settled: ServerVersion
  /// The permissions of now; asked for in the state when nil.
  private var known: PermissionState?
  private let present: ReadViewQuerySource
  private var pasts: [ServerVersion: PastQuerySource] = [:]

  init(
    _ readView: ReadView, _ past: PastStates, current: ServerVersion, settled: ServerVersion? = nil,
    permissions: PermissionState?, memory: ViewMemory?
  ) {
    self.readView = readView
    self.past = past
    self.current = current
    self.settled = settled ?? current
    known = permissions
    self.memory = memory
    present = ReadViewQuerySource(readView)
  }

  /// The state at a version.
  private func pastSource(_ version: ServerVersion) throws -> PastQuerySource {
    if let source = pasts[version] { return source }
    let source = try PastQuerySource(present, past, at: version)
    pasts[version] = source
    return source
  }

  // MARK: Roles

  /// The roles of a user at a version; nil when the realm had no permissions in force, or nobody is to be bounded.
  func permissions(of access: ViewAccess?, at version: ServerVersion) throws -> ViewPermissions? {
    guard let access else { return nil }
    if version < current { return try StatePermissions(try pastSource(version)).permissions(of: access) }
    guard known?.isInForce == true, let user = known?.permissions(of: access), let table = known?.table else {
      return nil
    }
    return ViewPermissions(user, of: table)
  }

  /// Whether what a user may read may have changed from one version to another by more than the lists of objects that the
  /// versions between touched.
  ///
  /// - Parameter touches: of these versions.
  func changesRoles(
    of access: ViewAccess?, from start: ServerVersion, to end: ServerVersion, _ touches: PermissionTouches
  ) throws -> Bool {
    guard access != nil, !touches.isEmpty else { return false }
    guard try isSettled(touches, since: start) else { return true }
    let before = try permissions(of: access, at: start)
    let after = try permissions(of: access, at: end)
    return before?.facts != after?.facts
  }

  /// Whether a user may have been without a right that they have at the start, after one of the versions before the end.
  ///
  /// The lists of objects that the versions touched are not looked at.
  ///
  /// - Parameter touched: the versions after the start that touched permissions, ascending.
  /// - Complexity: O(*n*) in the roles of the user and the lists of classes, at most ``mostInterruptions`` times.
  func interruptsRoles(
    of access: ViewAccess?, from start: ServerVersion, to end: ServerVersion,
    _ touched: [(version: ServerVersion, touches: PermissionTouches)]
  ) throws -> Bool {
    guard let access else { return false }
    let between = touched.filter { version, touches in
      version < end && touches.mayTakeRights(from: UserId(access.user))
        && (touches.mayChangeRoles(of: UserId(access.user)) || !areNewEntries(touches, at: version))
    }
    if between.isEmpty { return false }
    guard between.count <= Self.mostInterruptions else { return true }
    let before = try permissions(of: access, at: start)?.facts
    var whole = PermissionTouches()
    for (version, touches) in between {
      whole.add(touches)
      if try !isSettled(whole, since: start) { return true }
      let after = try permissions(of: access, at: version)?.facts
      // Without permissions in force everything may be read.
      guard let after else { continue }
      guard let before, after.includes(before) else { return true }
    }
    return false
  }

  /// Whether a version made all permission objects that it touched.
  private func areNewEntries(_ touches: PermissionTouches, at version: ServerVersion) -> Bool {
    touches.permissions.allSatisfy { key in
      let object = ObjectReference(className: PermissionClass.permission.rawValue, key: key)
      return past.touched(object, after: version.before).first.map { !$0.part.existed } ?? false
    }
  }

  /// Whether what a user may read may have been something else after one of the versions since a start, by more than the lists
  /// of objects that they touched.
  ///
  /// - Parameter touches: of these versions.
  /// - Complexity: O(*n*) in the permission objects that were touched.
  func mayVaryRoles(of access: ViewAccess?, since start: ServerVersion, _ touches: PermissionTouches) throws -> Bool {
    guard let access, !touches.isEmpty else { return false }
    if touches.mayChangeRoles(of: UserId(access.user)) { return true }
    return try !touches.permissions.isEmpty && !isSettled(touches, since: start)
  }

  /// Whether a version since a start changed an access list of an object that was there.
  func changesList(of object: ObjectReference, since start: ServerVersion) -> Bool {
    guard let lists = readView.catalog[object.className]?.accessLists, !lists.isEmpty else { return false }
    return past.touched(object, after: start).contains { touched in
      touched.part.existed && lists.contains { touched.part.fields[$0.name] != nil }
    }
  }

  /// Versions at which the rights of a user are looked at for one scan; with more they count as taken in between.
  private static let mostInterruptions = 16

  /// Whether permission objects that versions touched are new and have been what they are since they were made, and are in no list
  /// that was not touched then or later. Whoever looks at a list between the versions may read the entries that there were then as they are
  /// now, and hears of every object that an entry lets somebody read when its list is touched.
  func isSettled(_ touches: PermissionTouches, since start: ServerVersion) throws -> Bool {
    if touches.isWhole { return false }
    return try touches.permissions.allSatisfy { key in
      let object = ObjectReference(className: PermissionClass.permission.rawValue, key: key)
      let versions = past.touched(object, after: start)
      return try versions.isEmpty
        || versions.allSatisfy { !$0.part.existed } && !isNamedElsewhere(object, since: start)
    }
  }

  /// Whether a list holds a permission object that was not touched itself since that was made: lists take the names of entries that are not
  /// there, and keep those of erased ones.
  private func isNamedElsewhere(_ permission: ObjectReference, since start: ServerVersion) throws -> Bool {
    let made = past.touched(permission, after: start).last { !$0.part.existed }?.version ?? start
    guard let layout = readView.catalog[permission.className], let row = try readView.row(permission.key, layout) else {
      return false
    }
    for incoming in readView.catalog.incoming(layout.table)
    where incoming.field.holdsPermissions && incoming.layout.kind != .embedded {
      for holder in try readView.origins(incoming.field, of: layout.table, row) {
        let object = ObjectReference(
          className: incoming.layout.name, key: try readView.queryKey(holder, incoming.layout))
        let isTouched = past.touched(object, after: made.before).contains { touched in
          !touched.part.existed || touched.part.fields[incoming.field.name] != nil
        }
        if !isTouched { return true }
      }
    }
    return false
  }

  // MARK: Contents

  /// The queries of a set with the roles of a user at a version.
  ///
  /// - Throws: `QueryRefusal` for text that is no set of queries.
  func queries(_ set: QuerySet, _ scope: ViewScope, at version: ServerVersion) throws -> RealmQueries {
    var permissions = try permissions(of: scope.access, at: version)
    permissions?.knownLists = scope.lists
    return try RealmQueries(
      set, readView, permissions: permissions, followsLinks: scope.access?.followsLinks ?? false,
      withholding: scope.unfit)
  }

  /// The objects that a set holds at a version.
  ///
  /// - Parameter isWhole: whether all classes are asked for, not only those whose membership depends on other objects.
  func content(
    _ set: QuerySet, _ scope: ViewScope, isWhole: Bool, at version: ServerVersion
  ) throws -> ViewContent {
    let queries = try queries(set, scope, at: version)
    let classes = isWhole ? nil : queries.dependent
    let key = ViewMemory.Key(json: set.json, scope: scope, classes: classes, version: version)
    if let content = memory?.content(key) { return content }
    let content =
      version < current
      ? try queries.content(in: try pastSource(version), of: classes) : try queries.content(in: present, of: classes)
    if version <= settled { memory?.keep(content, key) }
    return content
  }

  /// The objects of the classes that depend on others that a set holds at a version.
  ///
  /// - Parameter queries: of the set, with the roles of that version, or of another at which they give the user the same.
  func content(_ queries: RealmQueries, _ scope: ViewScope, at version: ServerVersion) throws -> ViewContent {
    let key = ViewMemory.Key(json: queries.set.json, scope: scope, classes: queries.dependent, version: version)
    return try memory?.content(key) ?? content(queries.set, scope, isWhole: false, at: version)
  }

  /// The way of the classes that depend on others from their content at one version to that at a later one, the roles being
  /// the same.
  ///
  /// - Complexity: O(*n*) in what was touched, where each object decides by itself; else that of the queries.
  func move(
    _ queries: RealmQueries, _ scope: ViewScope, from before: ViewContent, at start: ServerVersion,
    to end: ServerVersion
  ) throws -> ContentMove {
    let sources = ContentSources(queries, readView.catalog)
    let touched = past.objects(after: start, through: end) { sources.mayChange(before, by: $0) }
    let move: ContentMove
    if touched.isEmpty {
      move = ContentMove(staying: before)
    } else if end == current, !touched.contains(where: { $0.parts.contains(where: sources.decidesOthers) }),
      case var update = ContentUpdate(before, queries, present), try update.run(touched)
    {
      move = ContentMove(before: before, update)
    } else {
      let after = try content(queries.set, scope, isWhole: false, at: end)
      return ContentMove(before: before, after: after, isWhole: false)
    }
    if end <= settled {
      memory?.keep(
        move.after,
        ViewMemory.Key(json: queries.set.json, scope: scope, classes: queries.dependent, version: end))
    }
    return move
  }
}

extension ViewPermissions {
  /// The facts about a user that decide what they may read, in a form that can be compared between versions.
  struct Facts: Equatable {
    var roles: [RoleName]
    var realmList: AccessList
    var classLists: [String: AccessList]

    /// Whether the user may do at least what others facts let them: the lists are the same, and no role is missing.
    func includes(_ other: Facts) -> Bool {
      realmList == other.realmList && classLists == other.classLists && Set(roles).isSuperset(of: other.roles)
    }
  }

  /// The facts behind the permissions.
  var facts: Facts {
    let names = table.classesWithList
    return Facts(
      roles: table.roleNames(of: user.user), realmList: table.realmList,
      classLists: Dictionary(uniqueKeysWithValues: names.map { ($0, table.list(ofClass: $0)) }))
  }
}

import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// The queries of a set with its user within a write transaction, whose classes, fields and roles come as it goes on.
///
/// A text that is no set selects nothing.
final class ViewQueries {
  private let set: QuerySet
  private let scope: ViewScope
  private var made: (revision: UInt64, facts: ViewPermissions.Facts?, queries: RealmQueries?)?

  init(_ set: QuerySet, _ access: ViewAccess?) {
    self.set = set
    scope = ViewScope(access: access)
  }

  init(_ stage: ViewStages.Stage?) {
    set = stage?.set ?? QuerySet()
    scope = stage?.scope ?? ViewScope()
  }

  /// The queries with the roles of now.
  func queries(_ present: PresentState) -> RealmQueries? {
    var permissions = present.permissions(of: scope.access)
    permissions?.knownLists = scope.lists
    let facts = permissions?.facts
    if let made, made.revision == present.readView.catalog.revision, made.facts == facts { return made.queries }
    let queries = try? RealmQueries(
      set, present.readView, permissions: permissions, followsLinks: scope.access?.followsLinks ?? false,
      withholding: scope.unfit)
    made = (present.readView.catalog.revision, facts, queries)
    return queries
  }

  /// Where objects of one class are now.
  func places(
    of objects: [ObjectReference], _ className: String, _ present: PresentState
  ) throws -> [ObjectReference: ObjectTimeline.Place] {
    guard let queries = queries(present), queries.dependent.contains(className) else {
      let queries = try queries(present) ?? RealmQueries(QuerySet(), present.readView)
      return try queries.timelines(of: objects, className, PastStates(), since: .zero, in: present.readView)
        .mapValues { $0.places[0] }
    }
    var places: [ObjectReference: ObjectTimeline.Place] = [:]
    for object in objects { places[object] = try queries.place(of: object, in: present.readView) }
    return places
  }

  /// Whether an object is held now.
  func selects(_ object: ObjectReference, _ present: PresentState) throws -> Bool {
    try places(of: [object], object.className, present)[object] == .inside
  }
}

/// The state in a write transaction, its links settled, with the permissions of now.
struct PresentState {
  let readView: ReadView
  let permissions: PermissionState?

  /// The roles of a user; nil when the realm has no permissions in force, or nobody is to be bounded.
  func permissions(of access: ViewAccess?) -> ViewPermissions? {
    guard let access, let permissions, permissions.isInForce else { return nil }
    return ViewPermissions(user: UserPermissions(permissions.table, access), table: permissions.table)
  }
}

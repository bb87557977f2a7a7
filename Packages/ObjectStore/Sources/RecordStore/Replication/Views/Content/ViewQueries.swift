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
  private let holders: HolderBudget
  private var made: Made?

  /// The queries that were made last, and of what.
  private struct Made {
    var catalog: UInt64
    /// The revision of the realm's permissions; nil without.
    var permissions: UInt64?
    /// The facts about the user in these.
    var facts: ViewPermissions.Facts?
    var queries: RealmQueries?
  }

  /// - Parameter holders: the objects that may be looked at to find where others are.
  init(_ set: QuerySet, _ access: ViewAccess?, _ holders: HolderBudget) {
    self.holders = holders
    self.set = set
    scope = ViewScope(access: access)
  }

  init(_ stage: ViewStages.Stage?, _ holders: HolderBudget) {
    self.holders = holders
    set = stage?.set ?? QuerySet()
    scope = stage?.scope ?? ViewScope()
  }

  /// The queries with the roles of now.
  ///
  /// - Complexity: O(1) while the schema and the permissions are the same; O(*n*) in the lists of classes and the roles of the user
  ///   after a change of permissions that is none of the user's.
  func queries(_ present: PresentState) -> RealmQueries? {
    let (catalog, revision) = (present.readView.catalog.revision, present.permissions?.revision)
    if let made, made.catalog == catalog, made.permissions == revision { return made.queries }
    var permissions = present.permissions(of: scope.access)
    permissions?.knownLists = scope.lists
    let facts = permissions?.facts
    if let made, made.catalog == catalog, made.facts == facts {
      self.made?.permissions = revision
      return made.queries
    }
    let queries = try? RealmQueries(
      set, present.readView, permissions: permissions, followsLinks: scope.access?.followsLinks ?? false,
      withholding: scope.unfit)
    made = Made(catalog: catalog, permissions: revision, facts: facts, queries: queries)
    return queries
  }

  /// Where objects of one class are now. One that too many others may hold counts as held.
  func places(
    of objects: [ObjectReference], _ className: String, _ present: PresentState
  ) throws -> [ObjectReference: ObjectTimeline.Place] {
    try knownPlaces(of: objects, className, present).mapValues { $0 ?? .inside }
  }

  /// The same; nil for an object that too many others may hold.
  private func knownPlaces(
    of objects: [ObjectReference], _ className: String, _ present: PresentState
  ) throws -> [ObjectReference: ObjectTimeline.Place?] {
    guard let queries = queries(present), queries.dependent.contains(className) else {
      let queries = try queries(present) ?? RealmQueries(QuerySet(), present.readView)
      return try queries.timelines(of: objects, className, PastStates(), since: .zero, in: present.readView)
        .mapValues { $0.places[0] }
    }
    let state = ReadViewQuerySource(present.readView)
    let lists = StatePermissions(state)
    var places: [ObjectReference: ObjectTimeline.Place?] = [:]
    for object in objects {
      places.updateValue(try queries.place(of: object, in: state, lists, holders), forKey: object)
    }
    return places
  }

  /// Whether an object is held now, as far as that is looked for: when no more objects may be looked at, none counts as held.
  func selects(_ object: ObjectReference, _ present: PresentState) throws -> Bool {
    let place: ObjectTimeline.Place? =
      try knownPlaces(of: [object], object.className, present)[object] ?? .some(.absent)
    return place.map { $0 == .inside } ?? !holders.isUsedUp
  }
}

/// The state in a write transaction, its links settled, with the permissions of now.
struct PresentState {
  let readView: ReadView
  let permissions: PermissionState?

  /// The roles of a user; nil when the realm has no permissions in force, or nobody is to be bounded.
  func permissions(of access: ViewAccess?) -> ViewPermissions? {
    guard let access, let permissions, permissions.isInForce else { return nil }
    return ViewPermissions(UserPermissions(permissions.table, access), of: permissions.table)
  }
}

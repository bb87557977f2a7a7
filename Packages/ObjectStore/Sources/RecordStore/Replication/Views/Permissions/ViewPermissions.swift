import ChangesetOT
import DataModel
import Permissions
import QueryLanguage

/// The objects that the roles of a view's user let it hold, at one version of the realm.
///
/// - Complexity: O(1) for a class, O(*n*) for a list of *n* entries.
struct ViewPermissions: Sendable {
  let user: UserPermissions
  let table: PermissionTable
  /// The access lists that decide, as ``ViewScope/lists(in:)`` names them; nil for all that there are.
  var knownLists: Set<String>?

  init(user: UserPermissions, table: PermissionTable) {
    self.user = user
    self.table = table
  }

  /// The facts of a table about a user, who is compiled from it. Nothing about others is kept, so that a table that goes on changing
  /// has one owner.
  init(_ user: UserPermissions, of table: PermissionTable) {
    self.init(user: user, table: table.restricted(to: user.user))
  }

  /// The access lists of a class that decide.
  func accessLists(of layout: ClassLayout) -> [FieldLayout] {
    guard let knownLists else { return layout.accessLists }
    return layout.accessLists.filter { knownLists.contains(ViewScope.name(of: $0, layout)) }
  }

  /// Whether a query of the class may select anything: asking is one privilege, reading another.
  func maySubscribe(to className: String) -> Bool {
    user.privileges(onClass: className).isSuperset(of: [.read, .query])
  }

  /// Whether objects of the class may be held at all.
  func mayRead(_ className: String) -> Bool { user.privileges(onClass: className).contains(.read) }

  /// Whether an object with an access list may be held by a query of its own.
  func reads(_ list: AccessList, inClass className: String) -> Bool {
    user.privileges(onObjectWith: list, inClass: className, of: table).contains(.read)
  }

  /// Whether access lists of objects decide anything for the user.
  var asksLists: Bool { !user.isExempt }

  /// The reason for which a query would tell about objects that the user may not read; nil when it does not.
  ///
  /// A condition must not be an oracle: by asking about one object it must not learn of another. Links forward may be followed
  /// in views that hold what they lead to.
  ///
  /// - Complexity: O(*n*) in the classes that the query reads.
  func refusal(of plan: QueryPlan, _ catalog: Catalog, followsLinks: Bool) -> String? {
    if plan.countsAllLinks, asksLists, catalog.classes.contains(where: { !accessLists(of: $0).isEmpty }) {
      return "it counts links from objects that have access lists"
    }
    // A part that links to others does so for the object around it.
    let origins = catalog.holders(of: plan.originsRead)
    for name in plan.classesRead.union(origins).sorted() where name != plan.className {
      guard catalog[name]?.kind == .embedded || mayRead(name) else { return "read is not granted on class '\(name)'" }
    }
    // A condition on the objects that link to others asks for them.
    for name in origins.sorted() where name != plan.className && !maySubscribe(to: name) {
      return "query is not granted on class '\(name)'"
    }
    guard asksLists else { return nil }
    var asked = origins
    if !followsLinks { asked.formUnion(plan.classesReached.union(plan.classesRead.subtracting([plan.className]))) }
    for name in asked.sorted() {
      if catalog[name].map({ !accessLists(of: $0).isEmpty }) ?? false {
        return "it asks about objects of class '\(name)', which have access lists of their own"
      }
    }
    return nil
  }
}

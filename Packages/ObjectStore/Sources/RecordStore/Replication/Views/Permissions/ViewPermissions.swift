import ChangesetOT
import DataModel
import Permissions

/// The objects that the roles of a view's user let it hold, at one version of the realm.
///
/// - Complexity: O(1) for a class, O(*n*) for a list of *n* entries.
struct ViewPermissions: Sendable {
  let user: UserPermissions
  let table: PermissionTable

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
}

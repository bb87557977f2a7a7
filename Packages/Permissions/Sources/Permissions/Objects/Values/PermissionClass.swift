/// The classes in which a realm stores its permissions, by their stored names; they are replicated like all others.
///
/// | class | key | other properties |
/// |---|---|---|
/// | `__Realm` | `id`, an integer; the one object is 0 | `permissions`, a list of `__Permission` |
/// | `__Class` | `name`, the name of the class | `permissions`, a list of `__Permission` |
/// | `__Role` | `name` | `members`, a list of `__User` |
/// | `__User` | `id`, the user's identity | `role`, a link to the private role |
/// | `__Permission` | – | `role`, a link; seven booleans, see ``Privileges/named`` |
///
/// The lists of `__Realm` and `__Class` are the lists of the realm and its classes; they do not restrict who sees these
/// objects.
public enum PermissionClass: String, CaseIterable, Sendable {
  /// The realm's list.
  case realm = "__Realm"
  /// The lists of the classes.
  case `class` = "__Class"
  /// Roles with their members.
  case role = "__Role"
  /// Users that have connected.
  case user = "__User"
  /// Entries of lists.
  case permission = "__Permission"

  /// The key of the one object of `__Realm`.
  public static let realmObjectId = 0

  /// The primary key; nil for `__Permission`, which has none.
  public var keyProperty: String? {
    switch self {
    case .realm, .user: "id"
    case .class, .role: "name"
    case .permission: nil
    }
  }

  /// The property that holds an access list; nil for the classes without.
  public var listProperty: String? {
    switch self {
    case .realm, .class: "permissions"
    case .role, .user, .permission: nil
    }
  }

  /// The list of users in `__Role`.
  public static let membersProperty = "members"
  /// The link to a role in `__Permission` and in `__User`.
  public static let roleProperty = "role"
}

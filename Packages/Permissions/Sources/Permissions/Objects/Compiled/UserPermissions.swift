/// The permissions of one user inside one realm, compiled from a table.
///
/// The one evaluation of permissions: servers enforce with it, clients preview with it. It keeps the roles of the user as
/// bits and the sum of their privileges on the realm and on each class that has a list; checking an object is a look at
/// the list of its class and a few instructions for each entry of its own list.
///
/// The order of evaluation, the first refusal counts:
///
/// 1. The access token bounds everything, for administrators too.
/// 2. Administrators, and everybody in a realm without a list, may do everything else.
/// 3. The realm: without `read` there is nothing, without `update` nothing changes.
/// 4. The class, bounded by the realm: without `read` there are no objects.
/// 5. The object's list, bounded by the class.
/// 6. Whoever grants privileges has them.
///
/// An object that a readable object links to is readable too, whatever its list says, because links cannot end in
/// nothing on a device. That is **not** decided here: it depends on links, which the caller knows. Other privileges on
/// such an object are as decided here.
///
///     let ben = UserPermissions(table, user: "ben")
///     ben.privileges(onObjectWith: [PermissionEntry("editors", [.read, .update])], inClass: "Dog", of: table)
public struct UserPermissions: Hashable, Sendable {
  /// The user.
  public let user: UserId
  /// Whether the user administers the server and is exempt from permissions.
  public let isAdministrator: Bool
  /// The most that the access token allows.
  public let tokenBound: Privileges
  /// The roles of the user, as numbers of the table.
  public internal(set) var roles: RoleSet
  /// The sum of the roles' privileges in the realm's list; nil when the realm has none.
  var realmGrant: Privileges?
  /// The sums of the roles' privileges in the lists of classes; no value for classes without a list.
  var classGrants: [String: Privileges]

  /// The permissions of a user by the facts of a table.
  ///
  /// - Complexity: O(*n*) for *n* entries of the lists of the realm and of all classes.
  public init(
    _ table: PermissionTable, user: UserId, isAdministrator: Bool = false, tokenBound: Privileges = .all
  ) {
    self.user = user
    self.isAdministrator = isAdministrator
    self.tokenBound = tokenBound
    let roles = table.roles(of: user)
    self.roles = roles
    realmGrant = table.compiledRealmList.grant(to: roles)
    classGrants = table.classLists.mapValues { $0.compiled.privileges(of: roles) }
  }

  /// The permissions of the user of an access token, whose level bounds them.
  ///
  /// - Complexity: O(*n*) for *n* entries of the lists of the realm and of all classes.
  public init(_ table: PermissionTable, subject: AccessSubject) {
    self.init(
      table, user: subject.user, isAdministrator: subject.isAdministrator,
      tokenBound: Privileges(bound: subject.tokenLevel))
  }

  /// Whether no list concerns the user: an administrator, or a realm without permissions.
  public var isExempt: Bool { isAdministrator || realmGrant == nil }

  /// The privileges on the realm.
  ///
  /// - Complexity: O(1).
  public var privilegesOnRealm: Privileges {
    isExempt ? tokenBound.gated : (realmGrant ?? []).intersection(tokenBound).gated
  }

  /// The privileges on a class: what its list grants of the privileges on the realm.
  ///
  /// Permission objects can be created by everyone who may change the realm, for the lists of their own objects: an entry
  /// has no effect before it is in a list.
  ///
  /// - Complexity: O(1).
  public func privileges(onClass name: String) -> Privileges {
    let realm = privilegesOnRealm
    if isExempt { return realm }
    var privileges = realm
    if let grant = classGrants[name] { privileges.formIntersection(grant) }
    if name == PermissionClass.permission.rawValue, realm.contains(.update) { privileges.insert(.create) }
    return privileges
  }
}

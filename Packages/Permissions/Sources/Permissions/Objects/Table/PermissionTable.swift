/// The facts on which permissions inside one realm depend: users, roles with their members, the list of the realm and
/// the lists of its classes.
///
/// The objects of the stored classes (``PermissionClass``) are these facts; whoever reads or changes those objects keeps
/// a table beside them by applying a ``PermissionTableChange`` for each. Lists of single objects are not in the table:
/// they come with each question.
///
///     var table = PermissionTable()
///     table.apply(PermissionDefaults.opening(table, classes: ["Dog"]))
///     table.apply(PermissionDefaults.connecting("ann", to: table))
///     let ann = UserPermissions(table, user: "ann")
///     ann.privileges(onClass: "Dog")  // everything
public struct PermissionTable: Sendable {
  /// The list of the realm; missing in realms without permissions, where everything is allowed.
  public internal(set) var realmList = AccessList.missing
  var compiledRealmList = CompiledAccessList.missing
  /// The users that have an object of `__User`.
  public internal(set) var users: Set<UserId> = []
  var classLists: [String: ClassList] = [:]
  var directory = RoleDirectory()
  /// The classes whose lists name a role; what a change of its members can concern.
  var classesNaming: [RoleName: Set<String>] = [:]

  /// The list of a class that has one, also in the form in which users are compiled from it.
  struct ClassList: Sendable {
    var list: AccessList
    var compiled: CompiledAccessList
  }

  /// A table without facts: a realm without permissions.
  public init() {}

  /// The list of a class.
  ///
  /// - Complexity: O(1).
  public func list(ofClass name: String) -> AccessList { classLists[name]?.list ?? .missing }

  /// The names of the classes that have a list, in order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* classes.
  public var classesWithList: [String] { classLists.keys.sorted() }

  /// The names of the roles that exist, in order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* roles.
  public var roles: [RoleName] { directory.existing }

  /// The members of a role; nil when there is no such role.
  ///
  /// - Complexity: O(1).
  public func members(of role: RoleName) -> Set<UserId>? { directory.members(of: role) }

  /// The roles of a user, by number.
  ///
  /// - Complexity: O(1).
  public func roles(of user: UserId) -> RoleSet { directory.roles(of: user) }

  /// The roles of a user, by name and in order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* roles of the user.
  public func roleNames(of user: UserId) -> [RoleName] { directory.roleNames(of: user) }

  /// The facts that decide about one user: the user's own roles, without other members, and all lists. Its compiled forms and
  /// sets of roles are those of this table.
  ///
  /// It is kept with the answers about the user, in place of the roles of everybody.
  ///
  /// - Complexity: O(*n*) for *n* roles of the user.
  public func restricted(to user: UserId) -> PermissionTable {
    var own = self
    own.users = users.contains(user) ? [user] : []
    own.directory = directory.restricted(to: user)
    return own
  }

  /// The compiled form of an object's list, as long as no role is added: roles that have no number have no members.
  ///
  /// - Complexity: O(*n*) for *n* entries.
  public func compiled(_ list: AccessList) -> CompiledAccessList {
    guard case .entries(let entries) = list else { return .missing }
    return CompiledAccessList(
      entries.compactMap { entry in directory.number(of: entry.role).map { ($0, entry.privileges) } })
  }

  /// The list that a permission object is an entry of.
  func list(_ use: PermissionUse) -> AccessList {
    switch use {
    case .realm: realmList
    case .class(let name): list(ofClass: name)
    case .object(let object): object.list
    }
  }
}

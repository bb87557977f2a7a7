/// The changes that the server makes by itself, as lists of changes of a table.
///
/// A realm begins permissive, so that an app can be written before its permissions are; they are tightened before it
/// is given to users.
public enum PermissionDefaults {
  /// The changes for a realm that is opened by query-based sync for the first time: the role `everyone`, which has all
  /// privileges on the realm and on each of the classes that it has, the classes of permissions included.
  ///
  /// A realm that has a list already stays as it is.
  ///
  /// - Complexity: O(*n*) for *n* classes.
  public static func opening(_ table: PermissionTable, classes: some Sequence<String>) -> [PermissionTableChange] {
    guard table.realmList == .missing else { return [] }
    let names = PermissionClass.allCases.map(\.rawValue) + classes.filter { PermissionClass(rawValue: $0) == nil }
    return [.addRole(.everyone), .setRealmList(.open)] + names.flatMap { addingClass($0, to: table) }
  }

  /// The changes for a class that is added: its list, in which `everyone` has all privileges.
  ///
  /// For members of `everyone` that is what a missing list allows too; but programs that tighten a class look for the
  /// entry of `everyone` and clear single privileges in it, so it has to be there.
  public static func addingClass(_ name: String, to table: PermissionTable) -> [PermissionTableChange] {
    table.list(ofClass: name) == .missing ? [.setClassList(name, .open)] : []
  }

  /// The changes for a user who connects: a missing user is made and put into `everyone`; the private role has the user as its
  /// only member, whoever made it, and whenever others were put into it.
  ///
  /// A user who is there already, because an administrator or a client made it, is not put into `everyone`.
  ///
  /// - Complexity: O(*n*) for *n* members that a private role has before its user.
  public static func connecting(_ user: UserId, to table: PermissionTable) -> [PermissionTableChange] {
    let privateRole = RoleName.privateRole(of: user)
    let members = table.members(of: privateRole)
    var changes: [PermissionTableChange] = []
    if !table.users.contains(user) {
      changes.append(.addUser(user))
      if table.members(of: .everyone) == nil { changes.append(.addRole(.everyone)) }
      changes.append(.addMember(user, to: .everyone))
    }
    if members == nil { changes.append(.addRole(privateRole)) }
    changes += (members ?? []).subtracting([user]).sorted().map { .removeMember($0, from: privateRole) }
    if members?.contains(user) != true { changes.append(.addMember(user, to: privateRole)) }
    return changes
  }
}

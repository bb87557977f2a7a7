/// One change of the facts of a table of permissions.
public enum PermissionTableChange: Hashable, Sendable {
  /// An object of `__User` appears.
  case addUser(UserId)
  /// An object of `__User` disappears, and with it the memberships of the user.
  case removeUser(UserId)
  /// An object of `__Role` without members appears.
  case addRole(RoleName)
  /// An object of `__Role` disappears.
  case removeRole(RoleName)
  /// A user becomes a member of a role; the role appears if it is not there.
  case addMember(UserId, to: RoleName)
  /// A user leaves a role.
  case removeMember(UserId, from: RoleName)
  /// The realm has another list.
  case setRealmList(AccessList)
  /// A class has another list; ``AccessList/missing`` when its object of `__Class` disappears.
  case setClassList(String, AccessList)
}

extension PermissionTable {
  /// Applies one change.
  ///
  /// - Complexity: O(1) for members, roles without members and users; O(*n*) for *n* entries of the old and the new
  ///   list; O(*m*) for a role with *m* members that is removed.
  public mutating func apply(_ change: PermissionTableChange) {
    switch change {
    case .addUser(let user): users.insert(user)
    case .removeUser(let user):
      users.remove(user)
      directory.remove(user)
    case .addRole(let role): directory.add(role)
    case .removeRole(let role): directory.remove(role)
    case .addMember(let user, let role): directory.add(user, to: role)
    case .removeMember(let user, let role): directory.remove(user, from: role)
    case .setRealmList(let list):
      realmList = list
      compiledRealmList = compile(list)
    case .setClassList(let name, let list): setList(list, ofClass: name)
    }
  }

  /// Applies changes in order.
  public mutating func apply(_ changes: some Sequence<PermissionTableChange>) {
    for change in changes { apply(change) }
  }

  private mutating func setList(_ list: AccessList, ofClass name: String) {
    for entry in self.list(ofClass: name).entries { classesNaming[entry.role]?.remove(name) }
    for entry in list.entries { classesNaming[entry.role, default: []].insert(name) }
    classLists[name] = list == .missing ? nil : ClassList(list: list, compiled: compile(list))
  }
}

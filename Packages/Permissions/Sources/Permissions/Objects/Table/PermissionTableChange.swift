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
  /// - Complexity: O(1) for users without roles and roles without members; O(*r*) for a member of *r* roles; O(*n*) for *n*
  ///   entries of the old and the new list; O(*m*) for a role with *m* members that is removed.
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
      let old = realmList
      realmList = list
      compiledRealmList = numbered(list)
      directory.unname(old.entries)
    case .setClassList(let name, let list): setList(list, ofClass: name)
    }
  }

  /// Applies changes in order.
  public mutating func apply(_ changes: some Sequence<PermissionTableChange>) {
    for change in changes { apply(change) }
  }

  private mutating func setList(_ list: AccessList, ofClass name: String) {
    let old = self.list(ofClass: name).entries
    for entry in old {
      classesNaming[entry.role]?.remove(name)
      if classesNaming[entry.role]?.isEmpty == true { classesNaming[entry.role] = nil }
    }
    for entry in list.entries { classesNaming[entry.role, default: []].insert(name) }
    classLists[name] = list == .missing ? nil : ClassList(list: list, compiled: numbered(list))
    directory.unname(old)
  }

  /// The compiled form of a list that is kept: its roles have numbers as long as it is.
  private mutating func numbered(_ list: AccessList) -> CompiledAccessList {
    directory.name(list.entries)
    return compiled(list)
  }
}

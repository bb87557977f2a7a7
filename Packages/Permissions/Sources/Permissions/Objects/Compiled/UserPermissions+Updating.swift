extension UserPermissions {
  /// Brings the permissions up to date after a change of the table, which has been applied to `table`.
  ///
  /// | change | cost |
  /// |---|---|
  /// | users, roles, members of a role other than the user | O(1) |
  /// | the user joins or leaves a role | the entries of the realm's list and of the classes' lists that name the role |
  /// | the list of the realm | its entries |
  /// | the list of a class | its entries |
  ///
  /// - Returns: false when the user may do exactly what they could before.
  @discardableResult
  public mutating func update(after change: PermissionTableChange, in table: PermissionTable) -> Bool {
    switch change {
    case .addUser, .addRole: return false
    case .removeUser(let user):
      guard user == self.user, roles != RoleSet() else { return false }
      self = UserPermissions(table, user: user, isAdministrator: isAdministrator, tokenBound: tokenBound)
      return true
    case .addMember(let user, let role), .removeMember(let user, let role):
      return user == self.user && rolesChanged(by: role, in: table)
    case .removeRole(let role): return rolesChanged(by: role, in: table)
    case .setRealmList: return refreshRealm(in: table)
    case .setClassList(let name, _): return refreshClass(name, in: table)
    }
  }

  /// True when the user's set of roles is another, which objects' lists can tell even where no grant changes.
  private mutating func rolesChanged(by role: RoleName, in table: PermissionTable) -> Bool {
    let current = table.roles(of: user)
    guard current != roles else { return false }
    roles = current
    refreshRealm(in: table)
    for name in table.classesNaming[role] ?? [] { refreshClass(name, in: table) }
    return true
  }

  @discardableResult
  private mutating func refreshRealm(in table: PermissionTable) -> Bool {
    let grant = table.compiledRealmList.grant(to: roles)
    defer { realmGrant = grant }
    return grant != realmGrant
  }

  @discardableResult
  private mutating func refreshClass(_ name: String, in table: PermissionTable) -> Bool {
    let grant = table.classLists[name]?.compiled.privileges(of: roles)
    defer { classGrants[name] = grant }
    return grant != classGrants[name]
  }
}

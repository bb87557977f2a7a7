import RecordStore

extension List where Element == Permission {
  /// The entry of a role in an access list; made, without privileges, when the list has none. A role that does not exist
  /// is made, too.
  ///
  ///     try realm.write {
  ///       let entry = dog.permissions.findOrCreate(forRoleNamed: "keepers")
  ///       entry.canRead = true
  ///     }
  ///
  /// Of several entries of the role, which appear when two devices make one each, the first gets the privileges of all,
  /// and the others leave the list. An unmanaged list, and a call outside of a write transaction, stops the program.
  ///
  /// - Complexity: O(*n*) for *n* entries.
  public func findOrCreate(forRoleNamed roleName: String) -> Permission {
    guard let accessor else {
      violated("findOrCreate(forRoleNamed:) needs the list of a managed object. Add the object to a Realm first.")
    }
    accessor.prepareForWriting()
    let realm = Realm(accessor.view)
    let positions = indices.filter { self[$0].role?.name == roleName }
    if let first = positions.first {
      let entry = self[first]
      for position in positions.dropFirst().reversed() {
        entry.takePrivileges(of: self[position])
        remove(at: position)
      }
      return entry
    }
    let role =
      realm.object(ofType: PermissionRole.self, forPrimaryKey: roleName)
      ?? realm.create(PermissionRole.self, value: ["name": roleName])
    let entry = realm.create(Permission.self)
    entry.role = role
    append(entry)
    return entry
  }

  /// The entry of a role, as ``findOrCreate(forRoleNamed:)`` gives it: by the role's name.
  ///
  /// - Complexity: O(*n*) for *n* entries.
  public func findOrCreate(forRole role: PermissionRole) -> Permission { findOrCreate(forRoleNamed: role.name) }
}

extension Permission {
  /// Adds the privileges of another entry. What the entry has already is not written.
  fileprivate func takePrivileges(of other: Permission) {
    guard !isSameObject(as: other) else { return }
    if other.canRead, !canRead { canRead = true }
    if other.canUpdate, !canUpdate { canUpdate = true }
    if other.canDelete, !canDelete { canDelete = true }
    if other.canSetPermissions, !canSetPermissions { canSetPermissions = true }
    if other.canQuery, !canQuery { canQuery = true }
    if other.canCreate, !canCreate { canCreate = true }
    if other.canModifySchema, !canModifySchema { canModifySchema = true }
  }
}

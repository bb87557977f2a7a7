extension UserPermissions {
  /// The standing in a class, for checking many of its objects.
  ///
  /// - Complexity: O(1).
  public func standing(inClass name: String) -> ClassStanding {
    ClassStanding(
      privileges(onClass: name),
      mayChangeLists: privilegesOnRealm.contains(.update) && tokenBound.contains(.setPermissions), isExempt: isExempt)
  }

  /// The privileges on an object, of those that have a meaning for objects.
  ///
  /// An object that was created in the transaction at hand is its creator's to write; ``decide(_:in:)`` knows.
  ///
  /// - Complexity: O(*n*) for *n* entries of the object's list.
  public func privileges(onObjectWith list: CompiledAccessList, in standing: ClassStanding) -> Privileges {
    if list.isMissing { return standing.open }
    return standing.floor.union(list.privileges(of: roles).intersection(standing.bound))
  }

  /// The privileges on an object, from its list as it stands.
  ///
  /// - Complexity: O(*n*) for *n* entries of the object's list.
  public func privileges(
    onObjectWith list: AccessList, inClass name: String, of table: PermissionTable
  ) -> Privileges {
    privileges(onObjectWith: table.compiled(list), in: standing(inClass: name))
  }
}

/// The answers to `getPrivileges()`: the privileges that have a meaning at the level asked for.
///
/// They come from permissions as they are known where they are asked, so a client's answers may be old. A user who may
/// not read the classes of permissions gets no privilege by any answer, although there may be access.
extension UserPermissions {
  /// Whether the user may read all five classes in which permissions are stored.
  ///
  /// - Complexity: O(1).
  public var readsPermissionClasses: Bool {
    isExempt || PermissionClass.allCases.allSatisfy { privileges(onClass: $0.rawValue).contains(.read) }
  }

  /// The answer for the realm.
  ///
  /// - Complexity: O(1).
  public var realmPreview: Privileges {
    readsPermissionClasses ? privilegesOnRealm.intersection(.realmPrivileges) : []
  }

  /// The answer for a class.
  ///
  /// - Complexity: O(1).
  public func preview(ofClass name: String) -> Privileges {
    readsPermissionClasses ? privileges(onClass: name).intersection(.classPrivileges) : []
  }

  /// The answer for an object.
  ///
  /// - Complexity: O(*n*) for *n* entries of the object's list.
  public func preview(ofObjectWith list: AccessList, inClass name: String, of table: PermissionTable) -> Privileges {
    readsPermissionClasses ? privileges(onObjectWith: list, inClass: name, of: table) : []
  }
}

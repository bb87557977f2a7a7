import RecordStore

extension Realm {
  /// The access list of the realm.
  ///
  ///     try realm.write {
  ///       realm.permissions.findOrCreate(forRoleNamed: "everyone").canModifySchema = false
  ///     }
  ///
  /// The program stops for a realm that is not query-based, which has no such list, and before the list was downloaded:
  /// the server makes it when the first query-based client of the realm connects.
  ///
  /// - Complexity: O(1).
  public var permissions: List<Permission> {
    checkPermissions("permissions")
    guard let own = object(ofType: RealmPermission.self, forPrimaryKey: 0) else {
      violated("The permissions of the Realm are not there yet. Open it with Realm.asyncOpen, which downloads them.")
    }
    return own.permissions
  }

  /// The access list of a class. The program stops where ``permissions`` does, and for a class without a list.
  ///
  /// - Complexity: O(log *n*) for *n* classes.
  public func permissions<T: Object>(forType cls: T.Type) -> List<Permission> {
    permissions(forClassNamed: cls.className())
  }

  /// The access list of a class, by its stored name. The program stops where ``permissions`` does, and for a class without
  /// a list.
  ///
  /// - Complexity: O(log *n*) for *n* classes.
  public func permissions(forClassNamed className: String) -> List<Permission> {
    checkPermissions("permissions(forClassNamed:)")
    guard let own = object(ofType: ClassPermission.self, forPrimaryKey: className) else {
      violated(
        "The permissions of class '\(className)' are not there yet, or the Realm has no such class. Open the Realm with "
          + "Realm.asyncOpen, which downloads them.")
    }
    return own.permissions
  }

  private func checkPermissions(_ call: String) {
    view.checkConfinement()
    rule(
      view.configuration.replication?.permissionUser != nil,
      "Realm.\(call) is for query-based Realms: local and fully synchronised Realms have no permissions inside them.")
  }
}

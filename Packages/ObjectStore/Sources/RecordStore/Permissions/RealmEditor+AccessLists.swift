public import DataModel
public import Permissions

extension RealmEditor {
  /// Sets the access list of one object; each entry becomes a permission object of its own.
  ///
  ///     try editor.setAccessList([PermissionEntry("editors", [.read, .update])], of: rex)
  ///
  /// - Throws: ``RecordStoreError`` with code `invalidInput` for an object that does not exist, or whose class has no property for
  ///   a list.
  /// - Complexity: O(*n* + *m*) for *n* former and *m* new entries.
  public func setAccessList(_ entries: [PermissionEntry], of object: ObjectReference) throws {
    guard try contains(object), let type = schema[object.className],
      let property = type.properties.first(where: {
        $0.collection == .list && $0.objectClassName == PermissionClass.permission.rawValue
      })
    else {
      throw RecordStoreError(
        .invalidInput,
        "Objects of \(object.className) have no list of permissions. Add a list of __Permission to the class.")
    }
    var links: [StateDump.Item] = []
    for entry in entries {
      let permission = ObjectReference(
        className: PermissionClass.permission.rawValue, key: try makeKey(for: PermissionClass.permission.rawValue))
      try create(permission)
      let role = ObjectReference(className: PermissionClass.role.rawValue, key: .string(entry.role.rawValue))
      try create(role)
      var fields: [String: StateDump.Item] = [PermissionClass.roleProperty: .value(.link(role))]
      for (privilege, _, name) in Privileges.named {
        fields[name] = .value(.bool(entry.privileges.contains(privilege)))
      }
      try set(fields, of: permission)
      links.append(.value(.link(permission)))
    }
    try set([property.name: .list(links)], of: object)
  }
}

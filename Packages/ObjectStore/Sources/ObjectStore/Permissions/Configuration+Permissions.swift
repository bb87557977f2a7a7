import Permissions

extension Realm.Configuration {
  /// The classes of a realm with this configuration: those that it names, or those of the program; and in a query-based
  /// realm those of permissions, which belong to no other realm unless a class of it links to them.
  var model: ModelSchema {
    let permissions = isQueryBased ? Self.permissionTypes : []
    guard let objectTypes else { return .ofProgram(with: permissions, includesAsymmetric: isQueryBased) }
    return .of(objectTypes + permissions.filter { type in !objectTypes.contains { $0 == type } })
  }

  /// Whether the realm is synchronised by queries.
  var isQueryBased: Bool { replication?.permissionUser != nil }

  private static let permissionTypes: [ObjectBase.Type] = [
    Permission.self, PermissionRole.self, PermissionUser.self, RealmPermission.self, ClassPermission.self,
  ]
}

extension ObjectBase {
  /// Whether the class is one of the five in which permissions are stored.
  static var isPermissionClass: Bool { PermissionClass(rawValue: className()) != nil }
}

public import DataModel
import Permissions

/// The five classes in which a realm stores its permissions, with the names and types that travel over the wire.
///
///     try file.edit { try $0.addClasses(PermissionSchema.schema) }
public enum PermissionSchema {
  /// The classes, ready to be added to a file.
  public static let schema = Schema([
    ObjectSchema(
      className: PermissionClass.realm.rawValue, primaryKey: "id",
      properties: [Property(name: "id", type: .int), list("permissions", of: .permission)]),
    ObjectSchema(
      className: PermissionClass.class.rawValue, primaryKey: "name",
      properties: [Property(name: "name", type: .string), list("permissions", of: .permission)]),
    ObjectSchema(
      className: PermissionClass.role.rawValue, primaryKey: "name",
      properties: [Property(name: "name", type: .string), list(PermissionClass.membersProperty, of: .user)]),
    ObjectSchema(
      className: PermissionClass.user.rawValue, primaryKey: "id",
      properties: [Property(name: "id", type: .string), roleLink]),
    ObjectSchema(
      className: PermissionClass.permission.rawValue,
      properties: [roleLink] + Privileges.named.map { Property(name: $0.storedProperty, type: .bool) }),
  ])

  private static let roleLink = Property(
    name: PermissionClass.roleProperty, type: .object, objectClassName: PermissionClass.role.rawValue,
    isOptional: true)

  private static func list(_ name: String, of target: PermissionClass) -> Property {
    Property(name: name, type: .object, collection: .list, objectClassName: target.rawValue)
  }
}

extension ClassLayout {
  /// The fields that hold the access lists of the class's objects; none for a class whose objects have no lists.
  ///
  /// Embedded objects have no list of their own: they are parts of their parents.
  ///
  /// - Complexity: O(*n*) for *n* fields. Look once for many objects.
  package var accessLists: [FieldLayout] {
    guard kind != .embedded, PermissionClass(rawValue: name)?.listProperty == nil else { return [] }
    return fields.filter(\.holdsPermissions)
  }
}

extension FieldLayout {
  /// Whether the field is a list of `__Permission`.
  var holdsPermissions: Bool {
    collection == .list && type == .object && target == PermissionClass.permission.rawValue
  }
}

/// Privileges of one role, as an entry of an access list: an object of the stored class `__Permission`.
///
///     let entry = realm.permissions(forType: Dog.self).findOrCreate(forRoleNamed: "keepers")
///     entry.canRead = true
///
/// It has no effect before it is in a list: of the realm, of a class, or of an object, which is any `List<Permission>`
/// property of a model. One entry may stand in several lists, to be changed together. Without a privilege of their own
/// at that place, users change no list; the server undoes what they write.
public final class Permission: Object {
  /// The role whose members have the privileges. Not changed once the entry is in a list.
  @Persisted public var role: PermissionRole?
  /// Seeing the realm, the objects of the class, the object.
  @Persisted public var canRead: Bool
  /// Changing the realm, objects of the class, the object; its access list excepted.
  @Persisted public var canUpdate: Bool
  /// Deleting the object. Means nothing by itself for realms and classes.
  @Persisted public var canDelete: Bool
  /// Changing the access list that the entry stands in.
  @Persisted public var canSetPermissions: Bool
  /// Subscribing to the class. Means nothing by itself elsewhere.
  @Persisted public var canQuery: Bool
  /// Creating objects of the class. Means nothing by itself elsewhere.
  @Persisted public var canCreate: Bool
  /// Adding classes to the realm, properties to the class.
  @Persisted public var canModifySchema: Bool

  /// `__Permission`.
  public override class func _realmObjectName() -> String? { "__Permission" }
}

/// A role with its members: an object of the stored class `__Role`.
///
/// The role `everyone` has every user who ever connected, and `__User:<identity>` one user alone.
public final class PermissionRole: Object {
  /// The name, which never changes.
  @Persisted(primaryKey: true) public var name: String
  /// The members; stored as `members`.
  @Persisted public var users: List<PermissionUser>

  /// `__Role`.
  public override class func _realmObjectName() -> String? { "__Role" }
  /// The stored name of ``users``.
  public override class func propertiesMapping() -> [String: String] { ["users": "members"] }
}

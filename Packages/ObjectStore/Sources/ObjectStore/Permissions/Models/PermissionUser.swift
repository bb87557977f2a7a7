/// A user who may be a member of roles: an object of the stored class `__User`.
///
/// The server makes one for each user who connects, and puts it into the role `everyone`. One that an app makes before is
/// put into no role.
public final class PermissionUser: Object {
  /// The identity of the user, as `SyncUser.identity` says it; stored as `id`.
  @Persisted(primaryKey: true) public var identity: String
  /// The role that has this user as its only member.
  @Persisted public var role: PermissionRole?
  /// The roles that the user is a member of.
  @Persisted(originProperty: "users") public var roles: LinkingObjects<PermissionRole>

  /// `__User`.
  public override class func _realmObjectName() -> String? { "__User" }
  /// The stored name of ``identity``.
  public override class func propertiesMapping() -> [String: String] { ["identity": "id"] }
}

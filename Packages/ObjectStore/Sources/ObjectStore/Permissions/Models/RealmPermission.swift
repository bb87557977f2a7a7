/// The access list of a realm: the one object of the stored class `__Realm`.
///
/// - SeeAlso: ``Realm/permissions``
public final class RealmPermission: Object {
  @Persisted(primaryKey: true) var id = 0
  /// The entries.
  @Persisted public var permissions: List<Permission>

  /// `__Realm`.
  public override class func _realmObjectName() -> String? { "__Realm" }
}

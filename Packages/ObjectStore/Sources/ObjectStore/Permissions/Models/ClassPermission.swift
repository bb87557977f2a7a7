/// The access list of a class: an object of the stored class `__Class`.
///
/// - SeeAlso: ``Realm/permissions(forType:)``
public final class ClassPermission: Object {
  /// The stored name of the class.
  @Persisted(primaryKey: true) public var name: String
  /// The entries.
  @Persisted public var permissions: List<Permission>

  /// `__Class`.
  public override class func _realmObjectName() -> String? { "__Class" }
}

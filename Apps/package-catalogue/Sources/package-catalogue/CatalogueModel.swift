import ObjectStore

/// A package of a distribution.
final class SoftwarePackage: Object {
  @Persisted(primaryKey: true) var name = ""
  /// Empty for one that is only depended on: a virtual package, or one of another archive.
  @Persisted var version = ""
  @Persisted(indexed: true) var section = ""
  @Persisted var summary = ""
  @Persisted var installedSize = 0
  @Persisted var dependencies: List<SoftwarePackage>
  @Persisted(originProperty: "dependencies") var dependents: LinkingObjects<SoftwarePackage>
}

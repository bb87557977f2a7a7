import ObjectStore
import QueryLanguage

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

extension SoftwarePackage {
  /// The class as queries see it: what is stored, and the inverse relationship.
  static var querySchema: QuerySchema {
    var schema = SoftwarePackage().objectSchema
    schema.properties.append(
      Property(
        name: "dependents", type: .linkingObjects, objectClassName: schema.className,
        originPropertyName: "dependencies"))
    return QuerySchema(Schema([schema]))
  }
}

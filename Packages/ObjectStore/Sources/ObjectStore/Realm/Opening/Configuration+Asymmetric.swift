import DataModel
import RecordStore

extension Realm.Configuration {
  /// Checks that classes whose objects are only sent are in a realm that is synchronised by queries, and that no class
  /// links to one.
  ///
  /// - Throws: ``Realm/Error`` with code `schemaMismatch` naming each class and property that does not fit.
  /// - Complexity: O(1) without such classes, O(*m*) in the properties of all classes with some.
  func checkAsymmetricClasses(_ model: ModelSchema) throws {
    guard model.hasAsymmetricClasses else { return }
    var problems: [String] = []
    for object in model.schema.objectSchema {
      if object.kind == .asymmetric, !isQueryBased {
        let place = replication == nil ? "in a local Realm" : "in partition based sync"
        problems.append("Asymmetric table '\(object.className)' not allowed \(place)")
      }
      for property in object.properties {
        guard let target = property.objectClassName, model.schema[target]?.kind == .asymmetric else { continue }
        problems.append(
          "Property '\(object.className).\(property.name)' of type '\(property.linkText)' cannot be a link to an asymmetric object."
        )
      }
    }
    guard !problems.isEmpty else { return }
    throw Realm.Error(
      .schemaMismatch,
      "Schema validation failed due to the following errors:\n" + problems.map { "- \($0)" }.joined(separator: "\n"))
  }
}

extension Property {
  /// The type of a property with links, for messages.
  fileprivate var linkText: String {
    switch collection {
    case .single: type.text
    case .list: "array"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}

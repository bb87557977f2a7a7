import DataModel
import Foundation
import RecordStore

// Objects as literals from which other objects are made.

extension ObjectBase {
  /// The names by which the object's properties are read, with the names under which they are stored. Inverse
  /// relationships are left out.
  var literalNames: [(name: String, column: String)] {
    if let dynamic = self as? DynamicObject { return dynamic.storedNames.map { ($0, $0) } }
    return binding.declaration.schema.properties.filter { $0.type != .linkingObjects }.map { ($0.name, $0.columnName) }
  }

  /// The stored name of the object's class.
  var literalClassName: String { (self as? DynamicObject)?.storedClassName ?? type(of: self).className() }

  /// A property as a literal; nil for none.
  func literal(named name: String) -> Any? { self is DynamicObject ? self[name] : property(named: name) }
}

/// Whether a value stands for nil in the collections of Foundation.
func isNull(_ any: Any) -> Bool { type(of: any) is NSNull.Type }

extension RealmView {
  /// The properties of a class in the order of their declaration, or else in that of the file.
  func declaredProperties(_ layout: ClassLayout) -> [Property] {
    let declared = (migratedSchema ?? schema)[layout.name]?.properties.filter { property in
      property.type != .linkingObjects && layout.field(property.columnName) != nil
    }
    return declared ?? layout.fields.map(\.property)
  }

  /// The model class of that name, if the realm was opened with one and no other; nil otherwise.
  func modelClass(named name: String) -> ObjectBase.Type? {
    let named = (configuration.objectTypes ?? ModelClasses.all).filter { $0.className() == name }
    return named.count == 1 && !ClassBinding.of(named[0]).properties.isEmpty ? named[0] : nil
  }
}

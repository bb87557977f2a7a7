import DataModel
import Foundation
import RecordStore

extension CollectionAccessor {
  /// The live collection of a property, with elements of the property's stored type.
  func dynamicCollection(of property: Property) -> Any {
    switch property.type {
    case .int: optional(Int.self, property)
    case .bool: optional(Bool.self, property)
    case .string: optional(String.self, property)
    case .data: optional(Data.self, property)
    case .date: optional(Date.self, property)
    case .float: optional(Float.self, property)
    case .double: optional(Double.self, property)
    case .objectId: optional(ObjectId.self, property)
    case .decimal128: optional(Decimal128.self, property)
    case .UUID: optional(UUID.self, property)
    case .any: plain(AnyRealmValue.self)
    case .object, .linkingObjects:
      kind == .dictionary ? Map<String, DynamicObject?>(self) : plain(DynamicObject.self)
    }
  }

  private func optional<T: RealmCollectionValue & _PersistableInsideOptional>(
    _ type: T.Type, _ property: Property
  ) -> Any {
    property.isOptional ? plain(T?.self) : plain(type)
  }

  private func plain<T: RealmCollectionValue>(_: T.Type) -> Any {
    switch kind {
    case .list, .single: List<T>(self)
    case .set: MutableSet<T>(self)
    case .dictionary: Map<String, T>(self)
    }
  }
}

extension ObjectBase {
  /// A list property as dynamic objects. An unknown name, and an unmanaged object, stop the program. A list of plain
  /// values has its count and nothing to show; `object["name"]` is that list with the type of its elements.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    List(dynamicPlace(propertyName, .list))
  }

  /// A set property as dynamic objects. An unknown name, and an unmanaged object, stop the program.
  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    MutableSet(dynamicPlace(propertyName, .set))
  }

  /// A map property as dynamic objects. An unknown name, and an unmanaged object, stop the program.
  public func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
    Map(dynamicPlace(propertyName, .dictionary))
  }

  private func dynamicPlace(_ name: String, _ kind: CollectionKind) -> CollectionAccessor {
    guard let access = state.pointee.access?.takeUnretainedValue() else {
      violated("An unmanaged object has no dynamic collections.")
    }
    guard let field = access.field(named: name), field.isStored, field.layout.collection == kind else {
      violated("Class '\(access.layout.name)' has no such collection: '\(name)'.")
    }
    return CollectionAccessor(access, state.pointee.row, field.number)
  }
}

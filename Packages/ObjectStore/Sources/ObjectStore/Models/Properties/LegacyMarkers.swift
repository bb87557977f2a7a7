import Foundation

/// Marks types of which a ``RealmOptional`` can hold one.
public protocol RealmOptionalType: _PersistableInsideOptional {}

// RealmSwift's names of constraints, for generic code.

/// Constrains the wrapped type of optional elements.
public typealias _RealmCollectionValueInsideOptional = _PersistableInsideOptional
/// Constrains types with a schema.
public typealias _RealmSchemaDiscoverable = _HasPersistedType
/// Constrains types with a default value.
public typealias _DefaultConstructible = _PersistableValue
/// Constrains the values of a ``Map``.
public typealias _RealmMapValue = RealmCollectionValue
/// Constrains types with a stored form.
public typealias _ObjcBridgeable = _HasPersistedType

extension Int: RealmOptionalType {}
extension Int8: RealmOptionalType {}
extension Int16: RealmOptionalType {}
extension Int32: RealmOptionalType {}
extension Int64: RealmOptionalType {}
extension Float: RealmOptionalType {}
extension Double: RealmOptionalType {}
extension Bool: RealmOptionalType {}

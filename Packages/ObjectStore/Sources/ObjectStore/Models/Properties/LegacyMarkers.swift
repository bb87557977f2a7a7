import Foundation

/// Marks types of which a ``RealmOptional`` can hold one.
public protocol RealmOptionalType: _PersistableInsideOptional {}

// Names that stand in constraints of generic code.

/// What may stand in an optional element of a collection.
public typealias _RealmCollectionValueInsideOptional = _PersistableInsideOptional
/// What a schema can describe.
public typealias _RealmSchemaDiscoverable = _HasPersistedType
/// What has a value to start with.
public typealias _DefaultConstructible = _PersistableValue
/// What a ``Map`` can have as values.
public typealias _RealmMapValue = RealmCollectionValue
/// What can be turned into what is stored; everything that can be stored.
public typealias _ObjcBridgeable = _HasPersistedType

extension Int: RealmOptionalType {}
extension Int8: RealmOptionalType {}
extension Int16: RealmOptionalType {}
extension Int32: RealmOptionalType {}
extension Int64: RealmOptionalType {}
extension Float: RealmOptionalType {}
extension Double: RealmOptionalType {}
extension Bool: RealmOptionalType {}

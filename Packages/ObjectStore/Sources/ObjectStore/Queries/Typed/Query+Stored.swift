// The stored values of enumerations and custom types, under the path of the property.

extension Query where T: RawRepresentable, T.RawValue: _HasPersistedType {
  /// The raw values of an enumeration.
  public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: RawRepresentable, T.Wrapped.RawValue: _HasPersistedType {
  /// The raw values of an enumeration.
  public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: RealmCollection, T.Element: RawRepresentable, T.Element.RawValue: RealmCollectionValue {
  /// The raw values of the enumerations in a collection.
  public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> {
    Query<AnyRealmCollection<T.Element.RawValue>>(node)
  }
}

extension Query
where
  T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: RawRepresentable,
  T.Element.Wrapped.RawValue: _PersistableInsideOptional
{
  /// The raw values of the enumerations in a collection.
  public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> {
    Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>>(node)
  }
}

extension Query where T: RealmKeyedCollection, T.Value: RawRepresentable, T.Value.RawValue: RealmCollectionValue {
  /// The raw values of the enumerations in a map.
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { Query<Map<T.Key, T.Value.RawValue>>(node) }
}

extension Query
where
  T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: RawRepresentable,
  T.Value.Wrapped.RawValue: _PersistableInsideOptional
{
  /// The raw values of the enumerations in a map.
  public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> {
    Query<Map<T.Key, T.Value.Wrapped.RawValue?>>(node)
  }
}

extension Query where T: _HasPersistedType {
  /// The stored values of a custom type.
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}

extension Query where T: RealmCollection, T.Element.PersistedType: RealmCollectionValue {
  /// The stored values of a custom type in a collection.
  public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> {
    Query<AnyRealmCollection<T.Element.PersistedType>>(node)
  }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: RealmCollectionValue {
  /// The stored values of a custom type in a map.
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
    Query<Map<T.Key, T.Value.PersistedType>>(node)
  }
}

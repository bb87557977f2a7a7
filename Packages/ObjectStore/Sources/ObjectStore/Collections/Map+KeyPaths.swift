// Maps of objects, with key paths of their class.

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// The values, sorted by a property.
  public func sorted<T: _HasPersistedType>(
    by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true
  ) -> Results<Value> where T.PersistedType: SortableType {
    sorted(byKeyPath: KeyPathTracer.name(keyPath), ascending: ascending)
  }

  /// The least value of a property of the objects; nil when there is none.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The greatest value of a property of the objects; nil when there is none.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The sum of a property of the objects; 0 when there is no value.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T where T.PersistedType: AddableType {
    sum(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The average of a property of the objects; nil when there is no value.
  public func average<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T? where T.PersistedType: AddableType {
    average(ofProperty: KeyPathTracer.name(keyPath))
  }
}

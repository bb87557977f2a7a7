// Maps of objects, by key paths of their class.

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// The values in the order of a property of theirs.
  public func sorted<T: _HasPersistedType>(
    by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true
  ) -> Results<Value> where T.PersistedType: SortableType {
    sorted(byKeyPath: KeyPathTracer.name(keyPath), ascending: ascending)
  }

  /// The least value of a property of the values; nil when there is none.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The greatest value of a property of the values; nil when there is none.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The sum of a property of the values; 0 for nothing.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T where T.PersistedType: AddableType {
    sum(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The mean of a property of the values; nil when there is none.
  public func average<T: _HasPersistedType>(
    of keyPath: KeyPath<Value.Wrapped, T>
  ) -> T? where T.PersistedType: AddableType {
    average(ofProperty: KeyPathTracer.name(keyPath))
  }
}

public import DataModel
public import QueryLanguage
import StorageEngine
import RecordStore

extension Map {
  private var managed: ResultsSource {
    guard let source = _source else {
      violated("This method may only be called on Map instances retrieved from a Realm.")
    }
    accessor?.check()
    return source
  }

  /// The values for which a condition holds.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    filter(parsed(predicateFormat, args))
  }

  func filter(_ query: ParsedQuery) -> Results<Value> { Results<Value>(managed).filter(query) }

  /// The values in order.
  public func sorted(ascending: Bool = true) -> Results<Value> { sorted(byKeyPath: "self", ascending: ascending) }

  /// The values in the order of a property of theirs.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The values in the order of several properties, the first deciding first.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Iterator.Element == SortDescriptor {
    Results<Value>(managed).sorted(by: sortDescriptors)
  }

  public func _aggregate(_ operation: AggregateOperation, _ property: String) -> DataModel.Value {
    if accessor != nil { return managed.aggregate(operation, property) }
    return aggregated(operation, property, values)
  }
}

extension Map where Value.PersistedType: MinMaxType {
  /// The least value.
  public func min() -> Value? { converted(_aggregate(.min, "self")) }
  /// The greatest value.
  public func max() -> Value? { converted(_aggregate(.max, "self")) }
}

extension Map where Value.PersistedType: AddableType {
  /// The sum of the values; 0 for none.
  public func sum() -> Value {
    guard let sum: Value = converted(_aggregate(.sum, "self")) else { violated("The sum is no \(Value.self).") }
    return sum
  }
  /// The mean of the values; nil for none.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    converted(_aggregate(.average, "self"))
  }
}

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

  /// The values for which a condition holds. Invalid text, and an unmanaged map, stop the program.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    filter(parsed(predicateFormat, args))
  }

  func filter(_ query: ParsedQuery) -> Results<Value> { Results<Value>(managed).filter(query) }

  /// The values, sorted.
  public func sorted(ascending: Bool = true) -> Results<Value> { sorted(byKeyPath: "self", ascending: ascending) }

  /// The values, sorted by a property.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The values, sorted by several properties, the first of them primary.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Iterator.Element == SortDescriptor {
    Results<Value>(managed).sorted(by: sortDescriptors)
  }

  /// Minimum, maximum, sum or average of a property of the values, or of the values for `self`.
  public func _aggregate(_ operation: AggregateOperation, _ property: String) -> DataModel.Value {
    if accessor != nil { return managed.aggregate(operation, property) }
    return aggregated(operation, property, values)
  }
}

extension Map where Value.PersistedType: MinMaxType {
  /// The least value; nil when there is none.
  public func min() -> Value? { converted(_aggregate(.min, "self")) }
  /// The greatest value; nil when there is none.
  public func max() -> Value? { converted(_aggregate(.max, "self")) }
}

extension Map where Value.PersistedType: AddableType {
  /// The sum of the values; 0 when there is none.
  public func sum() -> Value {
    guard let sum: Value = converted(_aggregate(.sum, "self")) else { violated("The sum is no \(Value.self).") }
    return sum
  }
  /// The average of the values; nil when there is none.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    converted(_aggregate(.average, "self"))
  }
}

import QueryLanguage

// MARK: Lists, sets and inverse relationships

extension Query where T: RealmCollection {
  /// Some element equals a value.
  public static func == (left: Query, right: T.Element) -> Query<Bool> { left.some(.equal, right) }
  /// Some element differs from a value.
  public static func != (left: Query, right: T.Element) -> Query<Bool> { left.some(.notEqual, right) }
  /// Some element is less than a value.
  public static func < (left: Query, right: T.Element) -> Query<Bool> { left.some(.less, right) }
  /// Some element is at most a value.
  public static func <= (left: Query, right: T.Element) -> Query<Bool> { left.some(.lessOrEqual, right) }
  /// Some element is greater than a value.
  public static func > (left: Query, right: T.Element) -> Query<Bool> { left.some(.greater, right) }
  /// Some element is at least a value.
  public static func >= (left: Query, right: T.Element) -> Query<Bool> { left.some(.greaterOrEqual, right) }

  private func some(_ operation: ComparisonOperation, _ value: T.Element) -> Query<Bool> {
    Query<Bool>(.compared(node, operation, .constant(value)))
  }

  /// The collection contains an element.
  public func contains(_ value: T.Element) -> Query<Bool> {
    Query<Bool>(.compared(.constant(value), .in, .path(path.whole)))
  }

  /// The collection contains at least one of the given elements.
  public func containsAny<S: Sequence>(in values: S) -> Query<Bool> where S.Element == T.Element {
    Query<Bool>(.compared(node, .in, .constant(Array(values))))
  }

  /// The number of elements.
  public var count: Query<Int> { Query<Int>(path.ending(in: .count)) }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
  /// The least element.
  public var min: Query<T.Element> { Query<T.Element>(path.ending(in: .aggregate(.min))) }
  /// The greatest element.
  public var max: Query<T.Element> { Query<T.Element>(path.ending(in: .aggregate(.max))) }
  /// The sum of the elements.
  public var sum: Query<T.Element> { Query<T.Element>(path.ending(in: .aggregate(.sum))) }
  /// The average of the elements.
  public var avg: Query<T.Element> { Query<T.Element>(path.ending(in: .aggregate(.average))) }
}

extension Query where T: RealmCollection, T.Element: Comparable {
  /// All elements lie in a range, its end excluded.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> {
    Query<Bool>(path.all(from: range.lowerBound, .less, range.upperBound))
  }
  /// All elements lie in a range, its end included.
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
    Query<Bool>(path.all(from: range.lowerBound, .lessOrEqual, range.upperBound))
  }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
  /// All elements lie in a range, its end excluded.
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
    Query<Bool>(path.all(from: range.lowerBound, .less, range.upperBound))
  }
  /// All elements lie in a range, its end included.
  public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
    Query<Bool>(path.all(from: range.lowerBound, .lessOrEqual, range.upperBound))
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryNumeric {
  /// The least value of a property of the objects in a collection.
  public var min: Query<T> { Query<T>(path.ending(in: .aggregate(.min))) }
  /// The greatest value of a property of the objects in a collection.
  public var max: Query<T> { Query<T>(path.ending(in: .aggregate(.max))) }
  /// The sum of a property of the objects in a collection.
  public var sum: Query<T> { Query<T>(path.ending(in: .aggregate(.sum))) }
  /// The average of a property of the objects in a collection.
  public var avg: Query<T> { Query<T>(path.ending(in: .aggregate(.average))) }
}

// MARK: Maps

extension Query where T: RealmKeyedCollection {
  /// Some value equals a value.
  public static func == (left: Query, right: T.Value) -> Query<Bool> { left.some(.equal, right) }
  /// Some value differs from a value.
  public static func != (left: Query, right: T.Value) -> Query<Bool> { left.some(.notEqual, right) }
  /// Some value is less than a value.
  public static func < (left: Query, right: T.Value) -> Query<Bool> { left.some(.less, right) }
  /// Some value is at most a value.
  public static func <= (left: Query, right: T.Value) -> Query<Bool> { left.some(.lessOrEqual, right) }
  /// Some value is greater than a value.
  public static func > (left: Query, right: T.Value) -> Query<Bool> { left.some(.greater, right) }
  /// Some value is at least a value.
  public static func >= (left: Query, right: T.Value) -> Query<Bool> { left.some(.greaterOrEqual, right) }

  private func some(_ operation: ComparisonOperation, _ value: T.Value) -> Query<Bool> {
    Query<Bool>(.compared(node, operation, .constant(value)))
  }

  /// The map contains a value.
  public func contains(_ value: T.Value) -> Query<Bool> {
    Query<Bool>(.compared(.constant(value), .in, .path(path.whole)))
  }

  /// The map contains at least one of the given values.
  public func containsAny<S: Sequence>(in values: S) -> Query<Bool> where S.Element == T.Value {
    Query<Bool>(.compared(node, .in, .constant(Array(values))))
  }

  /// The number of entries.
  public var count: Query<Int> { Query<Int>(path.ending(in: .count)) }

  /// The value under a key.
  public subscript(key: T.Key) -> Query<T.Value> { Query<T.Value>(path.appending(.key("\(key)"), isAny: false)) }

  /// The values of all keys.
  public var values: Query<T.Value> { Query<T.Value>(path.appending(.values, isAny: true)) }
}

extension Query where T: RealmKeyedCollection, T.Key == String {
  /// The keys.
  public var keys: Query<String> { Query<String>(path.appending(.keys, isAny: true)) }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
  /// The least value.
  public var min: Query<T.Value> { Query<T.Value>(path.ending(in: .aggregate(.min))) }
  /// The greatest value.
  public var max: Query<T.Value> { Query<T.Value>(path.ending(in: .aggregate(.max))) }
  /// The sum of the values.
  public var sum: Query<T.Value> { Query<T.Value>(path.ending(in: .aggregate(.sum))) }
  /// The average of the values.
  public var avg: Query<T.Value> { Query<T.Value>(path.ending(in: .aggregate(.average))) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  /// All values lie in a range, its end excluded.
  public func contains(_ range: Range<T.Value>) -> Query<Bool> {
    Query<Bool>(path.all(from: range.lowerBound, .less, range.upperBound))
  }
  /// All values lie in a range, its end included.
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
    Query<Bool>(path.all(from: range.lowerBound, .lessOrEqual, range.upperBound))
  }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
  /// All values lie in a range, its end excluded.
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> {
    Query<Bool>(path.all(from: range.lowerBound, .less, range.upperBound))
  }
  /// All values lie in a range, its end included.
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> {
    Query<Bool>(path.all(from: range.lowerBound, .lessOrEqual, range.upperBound))
  }
}

extension TypedPath {
  /// The least value is at least one bound, and the greatest keeps to the other.
  fileprivate func all(from low: Any, _ operation: ComparisonOperation, _ high: Any) -> TypedNode {
    .and(
      .compared(.path(ending(in: .aggregate(.min))), .greaterOrEqual, .constant(low)),
      .compared(.path(ending(in: .aggregate(.max))), operation, .constant(high)))
  }
}

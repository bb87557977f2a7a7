import QueryLanguage

// MARK: Conditions

extension Query where T == Bool {
  /// Both conditions hold.
  public static func && (left: Query, right: Query) -> Query { Query(.and(left.node, right.node)) }
  /// At least one of the conditions holds.
  public static func || (left: Query, right: Query) -> Query { Query(.or(left.node, right.node)) }
  /// The condition does not hold.
  public static prefix func ! (query: Query) -> Query { Query(.not(query.node)) }

  /// The number of elements of a collection for which the condition holds.
  /// - Precondition: the condition is about exactly one collection.
  public var count: Query<Int> { Query<Int>(.count(node)) }
}

// MARK: Equality

extension Query where T: _HasPersistedType {
  /// The values equal a value, or nil.
  public static func == (left: Query, right: T) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .equal, .constant(right)))
  }
  /// The values equal those of another property.
  public static func == (left: Query, right: Query) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .equal, right.node))
  }
  /// The values differ from a value, or from nil.
  public static func != (left: Query, right: T) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .notEqual, .constant(right)))
  }
  /// The values differ from those of another property.
  public static func != (left: Query, right: Query) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .notEqual, right.node))
  }

  /// The values are among the given ones.
  public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T {
    Query<Bool>(.compared(node, .in, .constant(Array(values))))
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: _HasPersistedType {
  /// The values are among the given ones.
  public func `in`<S: Sequence>(_ values: S) -> Query<Bool> where S.Element == T.Wrapped {
    Query<Bool>(.compared(node, .in, .constant(Array(values))))
  }
}

// MARK: Order

extension Query where T: _HasPersistedType, T.PersistedType: SortableType {
  /// The values are less than a value.
  public static func < (left: Query, right: T) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .less, .constant(right)))
  }
  /// The values are less than those of another property.
  public static func < (left: Query, right: Query) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .less, right.node))
  }
  /// The values are at most a value.
  public static func <= (left: Query, right: T) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .lessOrEqual, .constant(right)))
  }
  /// The values are at most those of another property.
  public static func <= (left: Query, right: Query) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .lessOrEqual, right.node))
  }
  /// The values are greater than a value.
  public static func > (left: Query, right: T) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .greater, .constant(right)))
  }
  /// The values are greater than those of another property.
  public static func > (left: Query, right: Query) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .greater, right.node))
  }
  /// The values are at least a value.
  public static func >= (left: Query, right: T) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .greaterOrEqual, .constant(right)))
  }
  /// The values are at least those of another property.
  public static func >= (left: Query, right: Query) -> Query<Bool> {
    Query<Bool>(.compared(left.node, .greaterOrEqual, right.node))
  }
}

extension Query where T: Comparable {
  /// The values lie in a range, its end excluded.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    Query<Bool>(node.lies(from: range.lowerBound, below: range.upperBound))
  }
  /// The values lie in a range, its end included.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    Query<Bool>(.between(node, range.lowerBound, range.upperBound))
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
  /// The values lie in a range, its end excluded.
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    Query<Bool>(node.lies(from: range.lowerBound, below: range.upperBound))
  }
  /// The values lie in a range, its end included.
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    Query<Bool>(.between(node, range.lowerBound, range.upperBound))
  }
}

extension TypedNode {
  fileprivate func lies(from low: Any, below high: Any) -> TypedNode {
    .and(.compared(self, .greaterOrEqual, .constant(low)), .compared(self, .less, .constant(high)))
  }
}

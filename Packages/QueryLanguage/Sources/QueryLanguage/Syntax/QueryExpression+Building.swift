public import DataModel

/// Building trees in code, as type-safe queries do.
///
///     let adults = QueryExpression.property("age").compared(.greaterOrEqual, to: .value(18))
///     let named = QueryExpression.property("dogs.name", quantifier: .any).compared(.equal, to: .value("Rex"))
///     (adults && !named).description      // age >= 18 and !(ANY dogs.name == "Rex")
extension QueryExpression {
  /// The values of a path of dot-separated names.
  public static func property(
    _ keyPath: String, quantifier: Quantifier? = nil, suffix: PropertyNode.Suffix? = nil
  ) -> QueryExpression {
    .property(PropertyNode(QueryPath(names: keyPath), quantifier: quantifier, suffix: suffix))
  }

  /// A constant; a `.list` gives a list. Nested collections and dictionaries, which no query can write, become null.
  public static func value(_ value: Value) -> QueryExpression {
    if case .list(let values) = value {
      return .list(ListNode(values.map { .constant(QueryConstant($0) ?? .null) }))
    }
    return .constant(QueryConstant(value) ?? .null, span: .none)
  }

  /// An aggregate of the collection at a path: `property` of each object, or the values themselves.
  public static func aggregate(
    _ keyPath: String, _ operation: AggregateOperation, of property: String? = nil
  ) -> QueryExpression {
    .aggregate(AggregateNode(QueryPath(names: keyPath), operation, property: property))
  }

  /// The number of objects at a path for which a predicate holds.
  public static func count(
    _ keyPath: String, as variable: String = "$x", where predicate: QueryPredicate
  ) -> QueryExpression {
    .subquery(SubqueryNode(QueryPath(names: keyPath), variable: variable, predicate: predicate))
  }

  /// The comparison of this side with another.
  public func compared(
    _ operation: ComparisonOperation, to other: QueryExpression, options: ComparisonOptions = []
  ) -> QueryPredicate {
    .comparison(ComparisonNode(self, operation, other, options: options))
  }

  /// Whether this side lies between two values, both included.
  public func between(_ low: Value, _ high: Value) -> QueryPredicate {
    .between(BetweenNode(self, bounds: .value(.list([low, high]))))
  }
}

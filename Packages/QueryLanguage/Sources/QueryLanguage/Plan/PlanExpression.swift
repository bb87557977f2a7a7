import DataModel

/// One side of a comparison, resolved.
indirect enum PlanExpression: Sendable {
  case constant(Value)
  case list([Value])
  case path(ResolvedPath)
  /// `@count`.
  case count(ResolvedPath)
  /// `@type`.
  case type(ResolvedPath)
  case aggregate(ResolvedPath, AggregateOperation, property: Int?)
  case subquery(ResolvedPath, PlanPredicate)
  case arithmetic(ArithmeticOperation, PlanExpression, PlanExpression)

  /// Whether the value is the same for every object.
  var isConstant: Bool {
    switch self {
    case .constant, .list: true
    case .path, .count, .type, .aggregate, .subquery: false
    case .arithmetic(_, let left, let right): left.isConstant && right.isConstant
    }
  }
}

/// One side of a comparison with its type, quantifier and whether it gives lists.
struct PlanSide: Sendable {
  var expression: PlanExpression
  /// The type of each value; nil for null and for lists of constants.
  var type: ValueType?
  var isList = false
  var quantifier: Quantifier?

  /// Whether this is the constant null.
  var isNullConstant: Bool {
    if case .constant(.null) = expression { true } else { false }
  }

  var path: ResolvedPath? {
    if case .path(let path) = expression { path } else { nil }
  }
}

/// A condition on one object, resolved.
indirect enum PlanPredicate: Sendable {
  case always(Bool)
  case and([PlanPredicate])
  case or([PlanPredicate])
  case not(PlanPredicate)
  case comparison(PlanComparison)
  /// All values (or the one value) of a side lie between two bounds.
  case between(PlanSide, Value, Value)
  case text(ResolvedPath, TextQuery, Quantifier?)
  case geoWithin(ResolvedPath, GeoReader, GeoRegion, Quantifier?)
  /// One scalar property of the object itself against constants; runs over columns.
  case column(ColumnCondition)
  /// A condition on the object that a single link points to; `whenNull` is its outcome without one.
  case link(property: Int, target: String, PlanPredicate, whenNull: Bool)
}

/// `left operation right`.
struct PlanComparison: Sendable {
  var left: PlanSide
  var operation: ComparisonOperation
  var options: ComparisonOptions
  var right: PlanSide
}

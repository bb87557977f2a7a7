/// A condition on one object.
///
///     let adults = QueryPredicate.comparison(
///       ComparisonNode(.property(PropertyNode(QueryPath(names: "age"))), .greaterOrEqual, .constant(.int(18), span: .none)))
///     adults.description       // age >= 18
public indirect enum QueryPredicate: Hashable, Sendable {
  /// All hold. At least two parts, none of them an `and`.
  case and([QueryPredicate])
  /// Some hold. At least two parts, none of them an `or`.
  case or([QueryPredicate])
  /// Does not hold.
  case not(QueryPredicate)
  /// TRUEPREDICATE and FALSEPREDICATE.
  case always(Bool)
  /// Two sides with an operator between them.
  case comparison(ComparisonNode)
  /// `value BETWEEN {low, high}`.
  case between(BetweenNode)
  /// `location GEOWITHIN shape`.
  case geoWithin(GeoWithinNode)
}

extension QueryPredicate {
  /// Both hold; nested conjunctions become one.
  public static func && (left: QueryPredicate, right: QueryPredicate) -> QueryPredicate {
    .and(left.conjuncts + right.conjuncts)
  }

  /// One of them holds; nested disjunctions become one.
  public static func || (left: QueryPredicate, right: QueryPredicate) -> QueryPredicate {
    .or(left.disjuncts + right.disjuncts)
  }

  /// The negation.
  public static prefix func ! (predicate: QueryPredicate) -> QueryPredicate { .not(predicate) }

  var conjuncts: [QueryPredicate] { if case .and(let parts) = self { parts } else { [self] } }
  var disjuncts: [QueryPredicate] { if case .or(let parts) = self { parts } else { [self] } }
}

/// The operator between two sides.
public enum ComparisonOperation: String, Hashable, Sendable, CaseIterable {
  /// Equal; null equals null.
  case equal = "=="
  /// Not equal.
  case notEqual = "!="
  /// Less.
  case less = "<"
  /// Less or equal.
  case lessOrEqual = "<="
  /// Greater.
  case greater = ">"
  /// Greater or equal.
  case greaterOrEqual = ">="
  /// Equal to one element of the right side.
  case `in` = "IN"
  /// Begins with the bytes of the right side.
  case beginsWith = "BEGINSWITH"
  /// Ends with the bytes of the right side.
  case endsWith = "ENDSWITH"
  /// Contains the bytes of the right side.
  case contains = "CONTAINS"
  /// Fits a pattern of `?` (one character) and `*` (any run).
  case like = "LIKE"
  /// Holds the search words of the right side; full-text properties only.
  case text = "TEXT"
}

extension ComparisonOperation {
  /// `==`, `!=` and `IN`.
  public var isEquality: Bool {
    switch self {
    case .equal, .notEqual, .in: true
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .contains, .like, .text: false
    }
  }
  /// `<`, `<=`, `>` and `>=`.
  public var isRelation: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .notEqual, .in, .beginsWith, .endsWith, .contains, .like, .text: false
    }
  }
  /// BEGINSWITH, ENDSWITH, CONTAINS and LIKE.
  public var isStringMatch: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like: true
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .text: false
    }
  }
}

/// The differences that a comparison of strings ignores.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
  /// One bit per option.
  public let rawValue: UInt8
  /// The options of some bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// `[c]`: the case of ASCII and Latin-1 letters.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `[d]`: diacritics; only in format strings.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
}

/// `left operation right`.
public struct ComparisonNode: Hashable, Sendable {
  /// The left side.
  public var left: QueryExpression
  /// The operator.
  public var operation: ComparisonOperation
  /// The options in brackets behind the operator.
  public var options: ComparisonOptions
  /// The right side.
  public var right: QueryExpression
  /// The place of the operator in the text.
  public var span: SourceSpan

  /// A node; trees made in code need no span.
  public init(
    _ left: QueryExpression, _ operation: ComparisonOperation, _ right: QueryExpression,
    options: ComparisonOptions = [], span: SourceSpan = .none
  ) {
    self.left = left
    self.operation = operation
    self.options = options
    self.right = right
    self.span = span
  }
}

/// `value BETWEEN {low, high}`.
public struct BetweenNode: Hashable, Sendable {
  /// The side tested.
  public var value: QueryExpression
  /// A list, or an argument that is one.
  public var bounds: QueryExpression
  /// The place of the operator in the text.
  public var span: SourceSpan

  /// A node; trees made in code need no span.
  public init(_ value: QueryExpression, bounds: QueryExpression, span: SourceSpan = .none) {
    self.value = value
    self.bounds = bounds
    self.span = span
  }
}

/// `location GEOWITHIN shape`.
public struct GeoWithinNode: Hashable, Sendable {
  /// The property with the embedded points.
  public var property: PropertyNode
  /// The region.
  public var shape: Shape
  /// The place of the operator in the text.
  public var span: SourceSpan

  /// A shape, or the argument that is one.
  public enum Shape: Hashable, Sendable {
    /// A shape as written.
    case literal(GeoShape)
    /// `$n`.
    case argument(Int)
  }

  /// A node; trees made in code need no span.
  public init(_ property: PropertyNode, _ shape: Shape, span: SourceSpan = .none) {
    self.property = property
    self.shape = shape
    self.span = span
  }
}

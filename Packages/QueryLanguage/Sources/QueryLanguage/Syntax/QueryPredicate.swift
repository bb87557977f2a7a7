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
  case not(QueryPredicate)
  /// TRUEPREDICATE and FALSEPREDICATE.
  case always(Bool)
  case comparison(ComparisonNode)
  case between(BetweenNode)
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

  /// It does not hold.
  public static prefix func ! (predicate: QueryPredicate) -> QueryPredicate { .not(predicate) }

  var conjuncts: [QueryPredicate] { if case .and(let parts) = self { parts } else { [self] } }
  var disjuncts: [QueryPredicate] { if case .or(let parts) = self { parts } else { [self] } }
}

/// How two sides are compared.
public enum ComparisonOperation: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case `in` = "IN"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case text = "TEXT"
}

extension ComparisonOperation {
  /// `==`, `!=` and `IN`.
  public var isEquality: Bool { self == .equal || self == .notEqual || self == .in }
  /// `<`, `<=`, `>` and `>=`.
  public var isRelation: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }
  /// BEGINSWITH, ENDSWITH, CONTAINS and LIKE.
  public var isStringMatch: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like: true
    default: false
    }
  }
}

/// What a comparison of strings overlooks.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// `[c]`: the case of ASCII and Latin-1 letters.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `[d]`: diacritics; only in format strings.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
}

/// `left operation right`.
public struct ComparisonNode: Hashable, Sendable {
  public var left: QueryExpression
  public var operation: ComparisonOperation
  public var options: ComparisonOptions
  public var right: QueryExpression
  /// Where the operator stands.
  public var span: SourceSpan

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
  public var value: QueryExpression
  /// A list, or an argument that is one.
  public var bounds: QueryExpression
  public var span: SourceSpan

  public init(_ value: QueryExpression, bounds: QueryExpression, span: SourceSpan = .none) {
    self.value = value
    self.bounds = bounds
    self.span = span
  }
}

/// `location GEOWITHIN shape`.
public struct GeoWithinNode: Hashable, Sendable {
  public var property: PropertyNode
  public var shape: Shape
  public var span: SourceSpan

  /// A shape, or the argument that is one.
  public enum Shape: Hashable, Sendable {
    case literal(GeoShape)
    case argument(Int)
  }

  public init(_ property: PropertyNode, _ shape: Shape, span: SourceSpan = .none) {
    self.property = property
    self.shape = shape
    self.span = span
  }
}

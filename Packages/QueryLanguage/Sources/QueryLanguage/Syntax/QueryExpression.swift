/// One side of a comparison.
public indirect enum QueryExpression: Hashable, Sendable {
  /// A literal.
  case constant(QueryConstant, span: SourceSpan)
  /// `$0`.
  case argument(ArgumentNode)
  /// `{1, 2}`.
  case list(ListNode)
  /// The values of a path, their number or their type.
  case property(PropertyNode)
  /// The least, greatest, total or mean value of a collection.
  case aggregate(AggregateNode)
  /// The number of objects for which a predicate holds.
  case subquery(SubqueryNode)
  /// A calculation.
  case arithmetic(ArithmeticNode)
}

/// The number of elements of a list side that have to satisfy a comparison: some, all or none.
public enum Quantifier: String, Hashable, Sendable, CaseIterable {
  /// At least one element; the meaning of a list side without quantifier.
  case any = "ANY"
  /// Every element; true for an empty list.
  case all = "ALL"
  /// No element; true for an empty list.
  case none = "NONE"
}

extension QueryExpression {
  /// The place of the expression in the text.
  public var span: SourceSpan {
    switch self {
    case .constant(_, let span): span
    case .argument(let node): node.span
    case .list(let node): node.span
    case .property(let node): node.span
    case .aggregate(let node): node.span
    case .subquery(let node): node.span
    case .arithmetic(let node): node.span
    }
  }

  /// The quantifier written in front, if any.
  public var quantifier: Quantifier? {
    switch self {
    case .argument(let node): node.quantifier
    case .list(let node): node.quantifier
    case .property(let node): node.quantifier
    case .constant, .aggregate, .subquery, .arithmetic: nil
    }
  }
}

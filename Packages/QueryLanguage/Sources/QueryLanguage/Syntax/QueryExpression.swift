/// One side of a comparison.
public indirect enum QueryExpression: Hashable, Sendable {
  case constant(QueryConstant, span: SourceSpan)
  case argument(ArgumentNode)
  case list(ListNode)
  case property(PropertyNode)
  case aggregate(AggregateNode)
  case subquery(SubqueryNode)
  case arithmetic(ArithmeticNode)
}

/// How many elements of a list side have to satisfy a comparison.
public enum Quantifier: String, Hashable, Sendable, CaseIterable {
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

/// `$0`, `ANY $0`.
public struct ArgumentNode: Hashable, Sendable {
  public var index: Int
  public var quantifier: Quantifier?
  public var span: SourceSpan

  public init(_ index: Int, quantifier: Quantifier? = nil, span: SourceSpan = .none) {
    self.index = index
    self.quantifier = quantifier
    self.span = span
  }
}

/// `{1, 2}`, `ALL {1, $0}`.
public struct ListNode: Hashable, Sendable {
  public var elements: [Element]
  public var quantifier: Quantifier?
  public var span: SourceSpan

  /// A constant or an argument in a list.
  public enum Element: Hashable, Sendable {
    case constant(QueryConstant)
    case argument(Int)
  }

  public init(_ elements: [Element], quantifier: Quantifier? = nil, span: SourceSpan = .none) {
    self.elements = elements
    self.quantifier = quantifier
    self.span = span
  }
}

/// `age`, `ANY dogs.age`, `dogs.@count`, `extra.@type`.
public struct PropertyNode: Hashable, Sendable {
  public var path: QueryPath
  public var quantifier: Quantifier?
  public var suffix: Suffix?
  public var span: SourceSpan

  /// What is taken instead of the values.
  public enum Suffix: String, Hashable, Sendable {
    case count = "@count"
    case type = "@type"
  }

  public init(_ path: QueryPath, quantifier: Quantifier? = nil, suffix: Suffix? = nil, span: SourceSpan = .none) {
    self.path = path
    self.quantifier = quantifier
    self.suffix = suffix
    self.span = span
  }
}

/// `nums.@sum`, `dogs.@max.age`.
public struct AggregateNode: Hashable, Sendable {
  public var path: QueryPath
  public var operation: AggregateOperation
  /// The property of each object reached; nil when the path ends in values.
  public var property: String?
  public var span: SourceSpan

  public init(
    _ path: QueryPath, _ operation: AggregateOperation, property: String? = nil, span: SourceSpan = .none
  ) {
    self.path = path
    self.operation = operation
    self.property = property
    self.span = span
  }
}

/// What an aggregate computes.
public enum AggregateOperation: String, Hashable, Sendable, CaseIterable {
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
}

/// `SUBQUERY(dogs, $d, $d.age > 2).@count`.
public struct SubqueryNode: Hashable, Sendable {
  public var path: QueryPath
  /// With its dollar sign.
  public var variable: String
  public var predicate: QueryPredicate
  public var span: SourceSpan

  public init(_ path: QueryPath, variable: String, predicate: QueryPredicate, span: SourceSpan = .none) {
    self.path = path
    self.variable = variable
    self.predicate = predicate
    self.span = span
  }
}

/// `(left + right)`.
public struct ArithmeticNode: Hashable, Sendable {
  public var left: QueryExpression
  public var operation: ArithmeticOperation
  public var right: QueryExpression
  public var span: SourceSpan

  public init(
    _ left: QueryExpression, _ operation: ArithmeticOperation, _ right: QueryExpression, span: SourceSpan = .none
  ) {
    self.left = left
    self.operation = operation
    self.right = right
    self.span = span
  }
}

/// The four operations.
public enum ArithmeticOperation: String, Hashable, Sendable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
}

extension QueryExpression {
  /// Where the expression stands.
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
    default: nil
    }
  }
}

/// `$0`, `ANY $0`.
public struct ArgumentNode: Hashable, Sendable {
  /// The number of the argument, from 0.
  public var index: Int
  /// The quantifier written in front.
  public var quantifier: Quantifier?
  /// The place in the text.
  public var span: SourceSpan

  /// A node; trees made in code need no span.
  public init(_ index: Int, quantifier: Quantifier? = nil, span: SourceSpan = .none) {
    self.index = index
    self.quantifier = quantifier
    self.span = span
  }
}

/// `{1, 2}`, `ALL {1, $0}`.
public struct ListNode: Hashable, Sendable {
  /// The elements in the order written.
  public var elements: [Element]
  /// The quantifier written in front.
  public var quantifier: Quantifier?
  /// The place in the text.
  public var span: SourceSpan

  /// A constant or an argument in a list.
  public enum Element: Hashable, Sendable {
    /// A literal.
    case constant(QueryConstant)
    /// `$n`.
    case argument(Int)
  }

  /// A node; trees made in code need no span.
  public init(_ elements: [Element], quantifier: Quantifier? = nil, span: SourceSpan = .none) {
    self.elements = elements
    self.quantifier = quantifier
    self.span = span
  }
}

/// `age`, `ANY dogs.age`, `dogs.@count`, `extra.@type`.
public struct PropertyNode: Hashable, Sendable {
  /// The path to the values.
  public var path: QueryPath
  /// The quantifier written in front.
  public var quantifier: Quantifier?
  /// A property taken in the place of the values; nil for the values themselves.
  public var suffix: Suffix?
  /// The place in the text.
  public var span: SourceSpan

  /// A property of the values, taken in their place.
  public enum Suffix: String, Hashable, Sendable {
    /// The number of elements, or the length of a string or binary in bytes.
    case count = "@count"
    /// The kind of each value of a mixed property.
    case type = "@type"
  }

  /// A node; trees made in code need no span.
  public init(_ path: QueryPath, quantifier: Quantifier? = nil, suffix: Suffix? = nil, span: SourceSpan = .none) {
    self.path = path
    self.quantifier = quantifier
    self.suffix = suffix
    self.span = span
  }
}

/// `nums.@sum`, `dogs.@max.age`.
public struct AggregateNode: Hashable, Sendable {
  /// The path to the values.
  public var path: QueryPath
  /// The operation.
  public var operation: AggregateOperation
  /// The property of each object reached; nil when the path ends in values.
  public var property: String?
  /// The place in the text.
  public var span: SourceSpan

  /// A node; trees made in code need no span.
  public init(
    _ path: QueryPath, _ operation: AggregateOperation, property: String? = nil, span: SourceSpan = .none
  ) {
    self.path = path
    self.operation = operation
    self.property = property
    self.span = span
  }
}

/// The computation of an aggregate.
public enum AggregateOperation: String, Hashable, Sendable, CaseIterable {
  /// The least value; null for none.
  case min = "@min"
  /// The greatest value; null for none.
  case max = "@max"
  /// The sum; 0 for none.
  case sum = "@sum"
  /// The mean; null for none.
  case average = "@avg"
}

/// `SUBQUERY(dogs, $d, $d.age > 2).@count`.
public struct SubqueryNode: Hashable, Sendable {
  /// The path to the values.
  public var path: QueryPath
  /// With its dollar sign.
  public var variable: String
  /// The condition on each object.
  public var predicate: QueryPredicate
  /// The place in the text.
  public var span: SourceSpan

  /// A node; trees made in code need no span.
  public init(_ path: QueryPath, variable: String, predicate: QueryPredicate, span: SourceSpan = .none) {
    self.path = path
    self.variable = variable
    self.predicate = predicate
    self.span = span
  }
}

/// `(left + right)`.
public struct ArithmeticNode: Hashable, Sendable {
  /// The left side.
  public var left: QueryExpression
  /// The operation.
  public var operation: ArithmeticOperation
  /// The right side.
  public var right: QueryExpression
  /// The place in the text.
  public var span: SourceSpan

  /// A node; trees made in code need no span.
  public init(
    _ left: QueryExpression, _ operation: ArithmeticOperation, _ right: QueryExpression, span: SourceSpan = .none
  ) {
    self.left = left
    self.operation = operation
    self.right = right
    self.span = span
  }
}

/// The four operations. `Docs/QueryLanguage.md`, section "Arithmetic", says how integers wrap and divide by zero.
public enum ArithmeticOperation: String, Hashable, Sendable, CaseIterable {
  /// Addition.
  case add = "+"
  /// Subtraction.
  case subtract = "-"
  /// Multiplication.
  case multiply = "*"
  /// Division.
  case divide = "/"
}

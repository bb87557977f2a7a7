import DataModel

/// Turns a tree into a plan: looks up names, checks types, converts constants.
struct Resolver {
  let schema: QuerySchema
  let binder: ArgumentBinder
  /// The dialect whose comparisons the query means.
  let dialect: QueryDialect
  /// The class whose objects the current part of the query is about.
  var className: String
  /// Variables of the subqueries around the current part, innermost last.
  var variables: [(name: String, className: String)] = []
  /// Every property that the query reads.
  var properties: Set<PropertyReference> = []
  /// Whether the query reads through links.
  var followsLinks = false
  /// Whether the query counts links from everywhere.
  var countsAllLinks = false
  /// The classes at whose objects the query looks because they link to others.
  var originsRead: Set<String> = []
  /// The classes of whose objects the query reads properties behind links, its own where a path leads back to it.
  var classesReached: Set<String> = []

  init(schema: QuerySchema, arguments: [QueryArgument], className: String, dialect: QueryDialect = .realm) {
    self.dialect = dialect
    self.schema = schema
    self.binder = ArgumentBinder(arguments: arguments)
    self.className = className
  }

  mutating func predicate(_ predicate: QueryPredicate) throws(QueryError) -> PlanPredicate {
    switch predicate {
    case .always(let value): return .always(value)
    case .not(let inner): return .not(try self.predicate(inner))
    case .and(let parts): return .and(try each(parts))
    case .or(let parts): return .or(try each(parts))
    case .comparison(let node): return try comparison(node)
    case .between(let node): return try between(node)
    case .geoWithin(let node): return try geoWithin(node)
    }
  }

  private mutating func each(_ parts: [QueryPredicate]) throws(QueryError) -> [PlanPredicate] {
    var resolved: [PlanPredicate] = []
    resolved.reserveCapacity(parts.count)
    for part in parts { resolved.append(try predicate(part)) }
    return resolved
  }

  // MARK: Expressions

  mutating func side(_ expression: QueryExpression) throws(QueryError) -> PlanSide {
    switch expression {
    case .constant(let constant, let span):
      let value = try constantValue(constant, at: span)
      return PlanSide(expression: .constant(value), type: ValueType(value))
    case .argument(let node): return try argumentSide(node)
    case .list(let node):
      var values: [Value] = []
      values.reserveCapacity(node.elements.count)
      for element in node.elements {
        switch element {
        case .constant(let constant): values.append(try constantValue(constant, at: node.span))
        case .argument(let index):
          values.append(try constantValue(try binder.value(index, at: node.span), at: node.span))
        }
      }
      return PlanSide(expression: .list(values), type: nil, isList: true, quantifier: node.quantifier)
    case .property(let node): return try propertySide(node)
    case .aggregate(let node): return try aggregateSide(node)
    case .subquery(let node): return try subquerySide(node)
    case .arithmetic(let node): return try arithmeticSide(node)
    }
  }

  private func argumentSide(_ node: ArgumentNode) throws(QueryError) -> PlanSide {
    switch try binder.argument(node.index, at: node.span) {
    case .list(let values), .value(.list(let values)):
      return PlanSide(expression: .list(values), type: nil, isList: true, quantifier: node.quantifier)
    case .value(.dictionary), .shape:
      throw QueryError(.argument, "argument $\(node.index) has to be a value or a list of values", at: node.span)
    case .value(let value):
      guard node.quantifier == nil else {
        throw QueryError(.argument, "argument $\(node.index) has to be a list behind a quantifier", at: node.span)
      }
      return PlanSide(expression: .constant(value), type: ValueType(value))
    }
  }

  private func constantValue(_ constant: QueryConstant, at span: SourceSpan) throws(QueryError) -> Value {
    let bound = try binder.constant(constant, at: span)
    if case .object(let reference) = bound, schema.objectSchema(reference.className) == nil {
      throw unknownClass(reference.className, at: span)
    }
    return bound.value ?? .null
  }

  private mutating func subquerySide(_ node: SubqueryNode) throws(QueryError) -> PlanSide {
    let path = try resolve(node.path)
    guard path.leaf == .objects, path.hops.last?.isToMany == true else {
      throw QueryError(
        .invalidExpression, "a subquery needs a collection of objects; '\(path.written)' is none", at: node.path.span)
    }
    if let last = path.hops.last, case .collection(_, _, let selector) = last, selector != .all {
      throw QueryError(.invalidExpression, "a subquery takes a whole collection", at: node.path.span)
    }
    if variables.contains(where: { $0.name == node.variable && $0.className == path.target }) {
      throw QueryError(
        .invalidExpression, "the variable '\(node.variable)' is already in use for \(path.target)", at: node.span)
    }
    let outer = className
    className = path.target
    variables.append((node.variable, path.target))
    let inner = try predicate(node.predicate)
    variables.removeLast()
    className = outer
    return PlanSide(expression: .subquery(path, Planner.optimized(inner)), type: .int)
  }

  private mutating func arithmeticSide(_ node: ArithmeticNode) throws(QueryError) -> PlanSide {
    var left = try side(node.left)
    var right = try side(node.right)
    func check(_ side: PlanSide, _ expression: QueryExpression) throws(QueryError) {
      if case .list = side.expression { return }
      if side.isNullConstant { return }
      guard let type = side.type, type.isNumeric || type == .mixed else {
        throw QueryError(
          .operatorNotSupported, "'\(node.operation.rawValue)' takes numbers, not \(side.type?.name ?? "this")",
          at: expression.span)
      }
    }
    try check(left, node.left)
    try check(right, node.right)
    if left.isList, right.isList {
      throw QueryError(.invalidExpression, "'\(node.operation.rawValue)' cannot combine two lists", at: node.span)
    }
    if right.type == .decimal { left = digitsAsDecimal(left, node.left) }
    if left.type == .decimal { right = digitsAsDecimal(right, node.right) }
    let type: ValueType? =
      if left.type == .mixed || right.type == .mixed { .mixed } else if let a = left.type, let b = right.type {
        ValueType.wider(a, b)
      } else { left.type ?? right.type }
    if case .constant(let a) = left.expression, case .constant(let b) = right.expression {
      let value = Arithmetic.apply(node.operation, a, b)
      return PlanSide(expression: .constant(value), type: ValueType(value))
    }
    return PlanSide(
      expression: .arithmetic(node.operation, left.expression, right.expression), type: type,
      isList: left.isList || right.isList, quantifier: left.quantifier ?? right.quantifier)
  }

  /// A double literal that meets a decimal is read from its digits.
  func digitsAsDecimal(_ side: PlanSide, _ expression: QueryExpression) -> PlanSide {
    guard case .constant(.double(let value)) = side.expression else { return side }
    var copy = side
    copy.expression = .constant(ConstantConversion.decimal(value, digits: Self.digits(expression)))
    copy.type = .decimal
    return copy
  }

  /// The digits of a double literal.
  static func digits(_ expression: QueryExpression) -> String? {
    if case .constant(.double(_, let digits), _) = expression { digits } else { nil }
  }
}

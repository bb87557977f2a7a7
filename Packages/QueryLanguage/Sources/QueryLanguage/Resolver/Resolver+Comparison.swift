import DataModel

/// Comparisons, BETWEEN and GEOWITHIN.
extension Resolver {
  mutating func comparison(_ node: ComparisonNode) throws(QueryError) -> PlanPredicate {
    if node.operation == .text { return try text(node) }
    if let geo = try geoArgument(node) { return try geoWithin(geo) }
    var left = try side(node.left)
    var right = try side(node.right)
    func refuse(_ category: QueryError.Category, _ message: String, hint: String? = nil) -> QueryError {
      QueryError(category, message, at: node.span, hint: hint)
    }
    if left.expression.isConstant, right.expression.isConstant {
      throw refuse(.invalidExpression, "a comparison needs a property on one side at least")
    }
    if node.operation == .in, !right.isList {
      if case .argument(let argument) = node.right {
        throw QueryError(.argument, "argument $\(argument.index) has to be a list behind IN", at: argument.span)
      }
      throw refuse(.invalidExpression, "IN needs a list or collection on its right", hint: "write {a, b} or use ==")
    }
    if let a = left.path, let b = right.path, a.endsInCollection, b.endsInCollection {
      throw refuse(.invalidExpression, "two collections cannot be compared: '\(a.written)' and '\(b.written)'")
    }
    if left.type == .typeName || right.type == .typeName {
      return try typeComparison(node, left, right)
    }
    for (one, other) in [(left, right), (right, left)] where other.isNullConstant {
      if let path = one.path, path.leaf == .objects, path.isToMany {
        throw refuse(
          .invalidExpression, "'\(path.written)' leads to many objects and is never null",
          hint: "use \(path.written).@count == 0")
      }
    }
    try checkOperator(node, left, right)
    left = try converted(left, node.left, toMeet: right, node)
    right = try converted(right, node.right, toMeet: left, node)
    if let a = left.type, let b = right.type, !a.isComparable(with: b) {
      throw refuse(.typeMismatch, "cannot compare \(a.name) with \(b.name)")
    }
    if let order = stringAboveNull(left, node.operation, right) { return order }
    return .comparison(PlanComparison(left: left, operation: node.operation, options: node.options, right: right))
  }

  /// `name > nil` of predicates, where every string is greater than nil; nil for any other comparison.
  private func stringAboveNull(
    _ left: PlanSide, _ operation: ComparisonOperation, _ right: PlanSide
  ) -> PlanPredicate? {
    guard dialect == .nspredicate, left.type == .string, !left.isList, right.isNullConstant else { return nil }
    switch operation {
    case .greater:
      return .comparison(PlanComparison(left: left, operation: .notEqual, options: [], right: right))
    case .greaterOrEqual: return .always(true)
    case .equal, .notEqual, .in, .less, .lessOrEqual, .beginsWith, .endsWith, .contains, .like, .text: return nil
    }
  }

  /// `location IN $0` where the argument is a shape, as RealmSwift writes it.
  private func geoArgument(_ node: ComparisonNode) throws(QueryError) -> GeoWithinNode? {
    guard node.operation == .in, case .argument(let argument) = node.right, case .property(let property) = node.left,
      case .shape = try binder.argument(argument.index, at: argument.span)
    else { return nil }
    return GeoWithinNode(property, .argument(argument.index), span: node.span)
  }

  /// Whether the operator is defined for the types of its sides.
  private func checkOperator(_ node: ComparisonNode, _ left: PlanSide, _ right: PlanSide) throws(QueryError) {
    func refuse(_ type: ValueType, _ expression: QueryExpression, _ takes: String) -> QueryError {
      let isArgument = if case .argument = expression { true } else { false }
      return QueryError(
        isArgument ? .argument : .operatorNotSupported,
        "'\(node.operation.rawValue)' is not defined for \(type.name)", at: node.span, hint: "it takes \(takes)")
    }
    let sides = [(left, node.left), (right, node.right)]
    let needsText = node.operation.isStringMatch || node.options != []
    for (side, expression) in sides {
      guard let type = side.type else { continue }
      if node.operation.isRelation, case .link = type {
        throw refuse(type, expression, "numbers, strings, bools, dates, binaries and ids")
      }
      guard needsText else { continue }
      switch type {
      case .string, .data, .mixed: continue
      case .bool, .int, .float, .double, .decimal, .date, .objectId, .uuid, .link, .typeName:
        if node.options != [], !node.operation.isStringMatch {
          throw QueryError(
            .operatorNotSupported, "options like [c] are not defined for \(type.name)", at: node.span,
            hint: "they take strings and binaries")
        }
        throw refuse(type, expression, "strings and binaries")
      }
    }
  }

  // MARK: Constants

  /// The side with its constants converted to the type of the other.
  private func converted(
    _ side: PlanSide, _ expression: QueryExpression, toMeet other: PlanSide, _ node: ComparisonNode
  ) throws(QueryError) -> PlanSide {
    guard let type = other.type, !other.expression.isConstant else { return side }
    var copy = side
    switch side.expression {
    case .constant(let value):
      copy.expression = .constant(try converted(value, expression, to: type, at: node.span))
      copy.type =
        ValueType(value) == nil
        ? nil : type == .mixed ? .mixed : side.type.map { $0.isNumeric || $0 == .string ? type : $0 }
    case .list(let values): copy.expression = .list(Self.convertedList(values, expression, to: type, dialect))
    case .path, .count, .type, .aggregate, .subquery, .arithmetic: break
    }
    return copy
  }

  /// Elements that do not fit stay as they are and never match.
  static func convertedList(
    _ values: [Value], _ expression: QueryExpression, to type: ValueType, _ dialect: QueryDialect
  ) -> [Value] {
    var digits: [String?] = []
    if type == .decimal, case .list(let node) = expression {
      digits = node.elements.map { element in
        if case .constant(.double(_, let digits)) = element { digits } else { nil }
      }
    }
    return values.enumerated().map { position, value in
      let own = digits.indices.contains(position) ? digits[position] : nil
      if case .fits(let converted) = ConstantConversion.convert(value, digits: own, to: type, dialect) {
        return converted
      }
      return value
    }
  }

  func converted(
    _ value: Value, _ expression: QueryExpression, to type: ValueType, at span: SourceSpan
  ) throws(QueryError) -> Value {
    switch ConstantConversion.convert(value, digits: Self.digits(expression), to: type, dialect) {
    case .fits(let converted): return converted
    case .mismatch(let hint):
      let own = ValueType(value)?.name ?? "null"
      if case .link = value {
      } else if case .argument(let argument) = expression {
        throw QueryError(
          .argument, "argument $\(argument.index) is \(own) where \(type.name) is needed", at: argument.span,
          hint: hint)
      }
      throw QueryError(.typeMismatch, "cannot compare \(type.name) with \(own)", at: span, hint: hint)
    }
  }

  // MARK: BETWEEN

  mutating func between(_ node: BetweenNode) throws(QueryError) -> PlanPredicate {
    let side = try side(node.value)
    let bounds = try self.side(node.bounds)
    guard !side.expression.isConstant else {
      throw QueryError(.invalidExpression, "BETWEEN needs a property on its left", at: node.span)
    }
    guard case .list(let values) = bounds.expression else {
      throw QueryError(.argument, "BETWEEN needs a list of two bounds as argument", at: node.bounds.span)
    }
    guard values.count == 2, !values.contains(where: { ValueType($0) == nil }) else {
      throw QueryError(
        .invalidExpression, "BETWEEN needs exactly two bounds that are not null", at: node.bounds.span,
        hint: "write {low, high}")
    }
    if side.isList, side.quantifier != .all {
      throw QueryError(
        .operatorNotSupported, "BETWEEN on a collection needs ALL in front", at: node.value.span)
    }
    if side.type == .typeName {
      throw QueryError(.operatorNotSupported, "BETWEEN is not defined for @type", at: node.span)
    }
    if case .link = side.type {
      throw QueryError(.operatorNotSupported, "BETWEEN is not defined for links", at: node.span)
    }
    var converted: [Value] = []
    for (position, value) in values.enumerated() {
      var own: QueryExpression = node.bounds
      if case .list(let list) = node.bounds, case .constant(let constant) = list.elements[position] {
        own = .constant(constant, span: list.span)
      }
      let bound = try self.converted(value, own, to: side.type ?? .mixed, at: node.span)
      if let type = ValueType(bound), let sideType = side.type, !type.isComparable(with: sideType) {
        throw QueryError(.typeMismatch, "cannot compare \(sideType.name) with \(type.name)", at: node.span)
      }
      converted.append(bound)
    }
    return .between(side, converted[0], converted[1])
  }
}

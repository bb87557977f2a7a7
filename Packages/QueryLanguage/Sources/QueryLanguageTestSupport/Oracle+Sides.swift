import DataModel
import QueryLanguage

/// Sides of comparisons.
extension Oracle {
  func constant(_ element: ListNode.Element) -> Value {
    if case .constant(let constant) = element { constant.value ?? .null } else { .null }
  }

  func side(_ expression: QueryExpression, _ object: Object) -> Side {
    switch expression {
    case .constant(let constant, _): return .one(constant.value ?? .null)
    case .argument: return .one(.null)
    case .list(let node): return .lists([node.elements.map(constant)])
    case .property(let node):
      switch node.suffix {
      case .count: return count(node.path, object)
      case .type, nil: return values(node.path, object)
      }
    case .aggregate(let node): return aggregate(node, object)
    case .subquery(let node):
      let elements = reach(node.path, object).flatMap { $0 }
      var predicate = node.predicate
      predicate = Self.withoutVariable(predicate, node.variable)
      return .one(.int(Int64(elements.filter { holds(predicate, $0) }.count)))
    case .arithmetic(let node):
      let left = side(node.left, object)
      let right = side(node.right, object)
      switch (left, right) {
      case (.one(let a), .one(let b)): return .one(calculate(a, node.operation, b, node))
      case (.lists(let lists), .one(let b)):
        return .lists(lists.map { $0.map { calculate($0, node.operation, b, node) } })
      case (.one(let a), .lists(let lists)):
        return .lists(lists.map { $0.map { calculate(a, node.operation, $0, node) } })
      case (.lists, .lists): return .one(.null)
      }
    }
  }

  private func calculate(_ left: Value, _ operation: ArithmeticOperation, _ right: Value, _ node: ArithmeticNode)
    -> Value
  {
    let kinds = [left.propertyType, right.propertyType]
    guard kinds.allSatisfy({ [.int, .float, .double, .decimal128].contains($0) }) else { return .null }
    func float(_ value: Value) -> Float {
      if case .int(let value) = value { Float(value) } else if case .float(let value) = value { value } else { 0 }
    }
    func floating<T: BinaryFloatingPoint>(_ a: T, _ b: T) -> T {
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      }
    }
    if kinds.contains(.decimal128) {
      guard let a = exact(left, node.left), let b = exact(right, node.right) else { return .null }
      switch operation {
      case .add: return .decimal128(a + b)
      case .subtract: return .decimal128(a - b)
      case .multiply: return .decimal128(a * b)
      case .divide: return .decimal128(a / b)
      }
    }
    if kinds.contains(.double) { return .double(floating(Self.double(left), Self.double(right))) }
    if kinds.contains(.float) { return .float(floating(float(left), float(right))) }
    guard case .int(let a) = left, case .int(let b) = right else { return .null }
    switch operation {
    case .add: return .int(a &+ b)
    case .subtract: return .int(a &- b)
    case .multiply: return .int(a &* b)
    case .divide: return .int(b == 0 ? (a < 0 ? .min : .max) : b == -1 ? 0 &- a : a / b)
    }
  }

  /// A number as double; 0 for a decimal and for everything that is no number.
  static func double(_ value: Value) -> Double {
    if case .int(let value) = value { return Double(value) }
    if case .float(let value) = value { return Double(value) }
    if case .double(let value) = value { return value }
    return 0
  }

  private func exact(_ value: Value, _ expression: QueryExpression) -> Decimal128? {
    if case .constant(.double(_, let digits?), _) = expression { return Decimal128(validating: digits) }
    return value.asDecimal
  }

  /// The paths of a predicate without a leading variable.
  static func withoutVariable(_ predicate: QueryPredicate, _ variable: String) -> QueryPredicate {
    func path(_ path: QueryPath) -> QueryPath {
      guard path.elements.count > 1, path.elements[0].step == .name(variable) else { return path }
      return QueryPath(Array(path.elements.dropFirst()))
    }
    func expression(_ expression: QueryExpression) -> QueryExpression {
      switch expression {
      case .constant, .argument, .list: return expression
      case .property(var node):
        node.path = path(node.path)
        return .property(node)
      case .aggregate(var node):
        node.path = path(node.path)
        return .aggregate(node)
      case .subquery(var node):
        node.path = path(node.path)
        return .subquery(node)
      case .arithmetic(var node):
        node.left = Self.expressionWithoutVariable(node.left, path)
        node.right = Self.expressionWithoutVariable(node.right, path)
        return .arithmetic(node)
      }
    }
    switch predicate {
    case .always, .geoWithin: return predicate
    case .not(let inner): return .not(withoutVariable(inner, variable))
    case .and(let parts): return .and(parts.map { withoutVariable($0, variable) })
    case .or(let parts): return .or(parts.map { withoutVariable($0, variable) })
    case .comparison(var node):
      node.left = expression(node.left)
      node.right = expression(node.right)
      return .comparison(node)
    case .between(var node):
      node.value = expression(node.value)
      return .between(node)
    }
  }

  private static func expressionWithoutVariable(_ expression: QueryExpression, _ path: (QueryPath) -> QueryPath)
    -> QueryExpression
  {
    switch expression {
    case .property(var node):
      node.path = path(node.path)
      return .property(node)
    case .arithmetic(var node):
      node.left = expressionWithoutVariable(node.left, path)
      node.right = expressionWithoutVariable(node.right, path)
      return .arithmetic(node)
    case .constant, .argument, .list, .aggregate, .subquery: return expression
    }
  }
}

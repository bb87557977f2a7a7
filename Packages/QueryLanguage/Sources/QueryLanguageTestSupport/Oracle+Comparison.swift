import DataModel
import QueryLanguage

/// Comparisons of sides, with their quantifiers.
extension Oracle {
  func compare(_ node: ComparisonNode, _ object: Object) -> Bool {
    var left = side(node.left, object)
    var right = side(node.right, object)
    let leftType = type(of: node.left, object.className)
    let rightType = type(of: node.right, object.className)
    left = converted(left, node.left, rightType)
    right = converted(right, node.right, leftType)
    let isLiteral =
      switch node.right {
      case .constant, .list: true
      case .argument, .property, .aggregate, .subquery, .arithmetic: false
      }
    let isType = [node.left, node.right].contains {
      if case .property(let node) = $0 { node.suffix == .type } else { false }
    }
    func single(_ a: Value, _ b: Value, _ operation: ComparisonOperation) -> Bool {
      if isType { return isOfType(a, b) == (operation != .notEqual) }
      return holds(a, operation, b, node.options, isLiteral)
    }
    func quantified(_ quantifier: Quantifier?, _ values: [Value], _ test: (Value) -> Bool) -> Bool {
      switch quantifier ?? .any {
      case .any: values.contains(where: test)
      case .all: !values.contains { !test($0) }
      case .none: !values.contains(where: test)
      }
    }
    func nested(_ a: [Value], _ b: [Value]) -> Bool {
      quantified(node.left.quantifier, a) { x in
        quantified(node.right.quantifier, b) { y in single(x, y, node.operation) }
      }
    }
    func inOrder(_ a: [Value], _ b: [Value]) -> Bool {
      if node.operation == .notEqual {
        return !(a.count == b.count && zip(a, b).allSatisfy { single($0, $1, .equal) })
      }
      return a.count == b.count && zip(a, b).allSatisfy { single($0, $1, node.operation) }
    }
    switch (left, right) {
    case (.one(let a), .one(let b)): return single(a, b, node.operation)
    case (.one(let a), .lists(let lists)): return lists.contains { nested([a], $0) }
    case (.lists(let lists), .one(let b)): return lists.contains { nested($0, [b]) }
    case (.lists(let a), .lists(let b)):
      let plain =
        left.isCollection && right.isCollection && quantifier(node.left) == nil && quantifier(node.right) == nil
      return a.contains { x in b.contains { y in plain ? inOrder(x, y) : nested(x, y) } }
    }
  }

  /// The quantifier of a side, looked for inside calculations too.
  private func quantifier(_ expression: QueryExpression) -> Quantifier? {
    if case .arithmetic(let node) = expression { return quantifier(node.left) ?? quantifier(node.right) }
    return expression.quantifier
  }
}

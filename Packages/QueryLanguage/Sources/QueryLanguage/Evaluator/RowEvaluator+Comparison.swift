import DataModel

/// Comparisons of values and lists: section "Lists and quantifiers" of `Docs/QueryLanguage.md`.
extension RowEvaluator {
  func holds(_ comparison: PlanComparison, _ className: String, _ row: QueryRow) throws -> Bool {
    let left = try operand(comparison.left.expression, className, row)
    let right = try operand(comparison.right.expression, className, row)
    switch (left, right) {
    case (.single(let a), .single(let b)): return single(comparison, a, b)
    case (.lists(let lists), .single(let b)): return lists.contains { quantified(comparison, $0, [b]) }
    case (.single(let a), .lists(let lists)): return lists.contains { quantified(comparison, [a], $0) }
    case (.lists(let a), .lists(let b)):
      let isOrdered = comparison.left.quantifier == nil && comparison.right.quantifier == nil
      return a.contains { left in
        b.contains { right in isOrdered ? ordered(comparison, left, right) : quantified(comparison, left, right) }
      }
    }
  }

  private func single(_ comparison: PlanComparison, _ left: Value, _ right: Value) -> Bool {
    if comparison.left.type == .typeName, case .int(let a) = left, case .int(let b) = right {
      return (a & b != 0) == (comparison.operation != .notEqual)
    }
    let needleIsLiteral =
      switch comparison.right.expression {
      case .constant, .list: true
      case .path, .count, .type, .aggregate, .subquery, .arithmetic: false
      }
    return ValueComparison.holds(
      left, comparison.operation, right, comparison.options, needleIsLiteral: needleIsLiteral)
  }

  /// Both sides are lists without quantifier: pair by pair, in order.
  private func ordered(_ comparison: PlanComparison, _ left: [Value], _ right: [Value]) -> Bool {
    if comparison.operation == .notEqual {
      var equality = comparison
      equality.operation = .equal
      return !ordered(equality, left, right)
    }
    return left.count == right.count && zip(left, right).allSatisfy { single(comparison, $0, $1) }
  }

  private func quantified(_ comparison: PlanComparison, _ left: [Value], _ right: [Value]) -> Bool {
    apply(comparison.left.quantifier, left) { a in
      apply(comparison.right.quantifier, right) { b in single(comparison, a, b) }
    }
  }

  private func apply(_ quantifier: Quantifier?, _ values: [Value], _ test: (Value) -> Bool) -> Bool {
    switch quantifier {
    case .any?, nil: values.contains(where: test)
    case .all?: values.allSatisfy(test)
    case .some(.none): !values.contains(where: test)
    }
  }
}

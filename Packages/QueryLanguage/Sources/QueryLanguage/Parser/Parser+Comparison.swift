import DataModel

/// Comparisons and arithmetic.
extension Parser {
  mutating func comparison() throws(QueryError) -> Operand {
    let operand = try sum()
    guard case .expression(let left, let height) = operand else { return operand }
    let span = token.span
    guard let operation = comparisonOperation() else {
      if isAt(.between) { return try between(left, height: height) }
      if isAt(.geowithin) { return try geoWithin(left) }
      if token.keyword == nil, case .word(let word) = token.kind, word.uppercased() == "MATCHES",
        lexer.dialect == .nspredicate
      {
        throw unsupported("the operator '\(word)' is not supported", at: span)
      }
      return operand
    }
    try advance()
    let options = try comparisonOptions(for: operation)
    if operation.isStringMatch || operation == .text { try refuseArithmetic(left, operation) }
    let start = token.span
    let rightOperand = try sum()
    guard case .expression(let right, let rightHeight) = rightOperand else {
      throw failure("expected a value after '\(operation.rawValue)', found a condition", at: start)
    }
    if operation.isStringMatch || operation == .text { try refuseArithmetic(right, operation) }
    let node = ComparisonNode(left, operation, right, options: options, span: span)
    return .predicate(.comparison(node), height: try checked(max(height, rightHeight) + 1))
  }

  private func refuseArithmetic(_ expression: QueryExpression, _ operation: ComparisonOperation) throws(QueryError) {
    guard case .arithmetic(let node) = expression else { return }
    throw failure("'\(operation.rawValue)' takes no calculation", at: node.span)
  }

  /// The operator at the current token, which stays the current one; nil for every other token.
  private func comparisonOperation() -> ComparisonOperation? {
    switch token.kind {
    case .symbol(.equal): return .equal
    case .symbol(.notEqual): return .notEqual
    case .symbol(.less): return .less
    case .symbol(.lessOrEqual): return .lessOrEqual
    case .symbol(.greater): return .greater
    case .symbol(.greaterOrEqual): return .greaterOrEqual
    default: return token.keyword?.comparison
    }
  }

  private mutating func comparisonOptions(for operation: ComparisonOperation) throws(QueryError) -> ComparisonOptions {
    let options: ComparisonOptions
    switch token.kind {
    case .symbol(.caseInsensitive): options = .caseInsensitive
    case .symbol(.diacriticInsensitive): options = .diacriticInsensitive
    case .symbol(.caseAndDiacriticInsensitive): options = [.caseInsensitive, .diacriticInsensitive]
    default: return []
    }
    let span = token.span
    if operation.isRelation || operation == .text {
      guard operation.isRelation, options.contains(.diacriticInsensitive) else {
        throw failure("'\(operation.rawValue)' takes no options", at: span, hint: "remove them")
      }
    }
    if options.contains(.diacriticInsensitive), operation == .like || operation.isRelation {
      throw unsupported("'\(operation.rawValue)' does not take [d]", at: span)
    }
    try advance()
    return options
  }

  private mutating func between(_ left: QueryExpression, height: Int) throws(QueryError) -> Operand {
    let span = token.span
    if case .arithmetic(let node) = left { throw failure("'BETWEEN' takes no calculation", at: node.span) }
    try advance()
    let hint = "bounds are written {low, high}"
    let bounds: QueryExpression
    switch token.kind {
    case .symbol(.leftBrace): bounds = .list(try list(quantifier: nil))
    case .argument(let index):
      bounds = .argument(ArgumentNode(index, span: token.span))
      try advance()
    default: throw unexpected("a list of two bounds after BETWEEN", hint: hint)
    }
    return .predicate(.between(BetweenNode(left, bounds: bounds, span: span)), height: height + 1)
  }

  // MARK: Arithmetic

  mutating func sum() throws(QueryError) -> Operand {
    var left = try product()
    while isAt(.plus) || isAt(.minus) {
      let operation: ArithmeticOperation = isAt(.plus) ? .add : .subtract
      left = try calculation(left, operation) { (parser: inout Parser) throws(QueryError) in try parser.product() }
    }
    return left
  }

  private mutating func product() throws(QueryError) -> Operand {
    var left = try factor()
    while isAt(.times) || isAt(.divide) {
      let operation: ArithmeticOperation = isAt(.times) ? .multiply : .divide
      left = try calculation(left, operation) { (parser: inout Parser) throws(QueryError) in try parser.factor() }
    }
    return left
  }

  private mutating func calculation(
    _ left: Operand, _ operation: ArithmeticOperation, _ next: (inout Parser) throws(QueryError) -> Operand
  ) throws(QueryError) -> Operand {
    guard case .expression(let leftSide, let leftHeight) = left else {
      throw unexpected("AND, OR or the end after a condition")
    }
    try advance()
    let start = token.span
    guard case .expression(let rightSide, let rightHeight) = try next(&self) else {
      throw failure("expected a value after '\(operation.rawValue)', found a condition", at: start)
    }
    let node = ArithmeticNode(leftSide, operation, rightSide, span: leftSide.span.through(rightSide.span))
    return .expression(.arithmetic(node), height: try checked(max(leftHeight, rightHeight) + 1))
  }

  private func checked(_ height: Int) throws(QueryError) -> Int {
    guard height <= 2 * Self.depthLimit else {
      throw failure("the query nests deeper than \(2 * Self.depthLimit) levels")
    }
    return height
  }

  mutating func factor() throws(QueryError) -> Operand {
    guard isAt(.leftParenthesis) else { return try value() }
    try enter()
    try advance()
    let inner = try disjunction()
    if isAt(.comma), case .expression = inner {
      throw unexpected("')' or an operator", hint: "lists use braces: {1, 2}")
    }
    try expect(.rightParenthesis, in: "to close the parenthesis")
    depth -= 1
    return inner
  }
}

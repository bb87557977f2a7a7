import DataModel

/// Reads a query by recursive descent: one pass, one token of look-ahead, no backtracking.
///
/// A parenthesis may open a predicate or an expression, which is known only when it closes. So every level returns an
/// ``Operand``, and a level that needs a predicate requires one.
struct Parser {
  var lexer: Lexer
  var token: Token
  /// Parentheses, negations and subqueries around the current token.
  var depth = 0
  /// The offset behind the last token taken.
  var lastEnd = 0
  /// The arguments of a format string.
  let formatArguments: [QueryArgument]?
  /// Whether `SELF` has a meaning: the query is about plain values.
  var isAboutValues = false

  /// The greatest depth of parentheses, NOT and SUBQUERY.
  static let depthLimit = 256

  /// A predicate, or one side of a comparison whose operator is still to come, with the height of its tree.
  enum Operand {
    case predicate(QueryPredicate, height: Int)
    case expression(QueryExpression, height: Int)
  }

  init(_ text: String, dialect: QueryDialect, formatArguments: [QueryArgument]? = nil) throws(QueryError) {
    var lexer = Lexer(text, dialect: dialect)
    token = try lexer.next()
    self.lexer = lexer
    self.formatArguments = formatArguments
  }

  /// The whole text as a query.
  mutating func query() throws(QueryError) -> ParsedQuery {
    if case .end = token.kind { throw failure("the query is empty", hint: "TRUEPREDICATE matches every object") }
    let predicate = try requirePredicate(disjunction())
    let clauses = try clauses()
    guard case .end = token.kind else { throw unexpected("AND, OR, a clause or the end") }
    var query = ParsedQuery(predicate, clauses: clauses)
    query.source = SourceText(lexer.text)
    return query
  }

  // MARK: Tokens

  mutating func advance() throws(QueryError) {
    lastEnd = token.span.end
    token = try lexer.next()
  }

  func isAt(_ symbol: Symbol) -> Bool { token.kind == .symbol(symbol) }
  func isAt(_ keyword: Keyword) -> Bool { token.keyword == keyword }

  mutating func take(_ symbol: Symbol) throws(QueryError) -> Bool {
    guard isAt(symbol) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: Symbol, in context: String, hint: String? = nil) throws(QueryError) {
    guard try take(symbol) else { throw unexpected("'\(symbol.rawValue)' \(context)", hint: hint) }
  }

  /// The span from a start to the end of the last token taken.
  func span(from start: Int) -> SourceSpan { SourceSpan(start, lastEnd) }

  // MARK: Levels, from loose to tight

  mutating func disjunction() throws(QueryError) -> Operand {
    let first = try conjunction()
    guard isAt(Keyword.or) || isAt(Symbol.or) else { return first }
    var (predicate, height) = try requireWithHeight(first)
    var parts = predicate.disjuncts
    while isAt(Keyword.or) || isAt(Symbol.or) {
      try advance()
      let next = try requireWithHeight(conjunction())
      parts += next.0.disjuncts
      height = max(height, next.1)
    }
    predicate = .or(parts)
    return .predicate(predicate, height: height + 1)
  }

  mutating func conjunction() throws(QueryError) -> Operand {
    let first = try negation()
    guard isAt(Keyword.and) || isAt(Symbol.and) else { return first }
    var (predicate, height) = try requireWithHeight(first)
    var parts = predicate.conjuncts
    while isAt(Keyword.and) || isAt(Symbol.and) {
      try advance()
      let next = try requireWithHeight(negation())
      parts += next.0.conjuncts
      height = max(height, next.1)
    }
    predicate = .and(parts)
    return .predicate(predicate, height: height + 1)
  }

  mutating func negation() throws(QueryError) -> Operand {
    if isAt(Keyword.not) || isAt(Symbol.not) {
      try advance()
      try enter()
      let (inner, height) = try requireWithHeight(negation())
      depth -= 1
      return .predicate(.not(inner), height: height + 1)
    }
    if isAt(.truepredicate) || isAt(.falsepredicate) {
      let value = isAt(.truepredicate)
      try advance()
      return .predicate(.always(value), height: 1)
    }
    return try comparison()
  }

  mutating func enter() throws(QueryError) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw failure("the query nests deeper than \(Self.depthLimit) levels")
    }
  }

  mutating func requirePredicate(_ operand: Operand) throws(QueryError) -> QueryPredicate {
    try requireWithHeight(operand).0
  }

  mutating func requireWithHeight(_ operand: Operand) throws(QueryError) -> (QueryPredicate, Int) {
    switch operand {
    case .predicate(let predicate, let height): return (predicate, height)
    case .expression(let expression, _): throw missingOperator(after: expression)
    }
  }

  private func missingOperator(after expression: QueryExpression) -> QueryError {
    var hint: String?
    if case .constant(let constant) = token.kind, case .property(let node) = expression {
      let sign = lexer.bytes[token.span.start]
      let isNumber = constant.value?.propertyType == .int || constant.value?.propertyType == .double
      if isNumber, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        let name = String(decoding: lexer.bytes[node.span.start..<node.span.end], as: UTF8.self)
        let number = String(decoding: lexer.bytes[(token.span.start + 1)..<token.span.end], as: UTF8.self)
        hint = "a sign glued to digits belongs to the number: write \(name) \(Character(UnicodeScalar(sign))) \(number)"
      }
    }
    if case .property(let node) = expression, case .word(let word) = token.kind {
      hint = Self.spellingHint(word)
      if hint == nil, node.path.elements.count == 1, case .name(let name) = node.path.elements[0].step {
        hint = Self.spellingHint(name)
      }
    }
    if case .property(let node) = expression, case .end = token.kind, node.suffix == nil {
      hint = "a bool property is compared: \(node.path.written) == true"
    }
    return unexpected("a comparison operator after \(Self.describe(expression))", hint: hint)
  }
}

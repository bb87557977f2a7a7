import DataModel

/// Constants, arguments, lists, subqueries.
extension Parser {
  mutating func value() throws(QueryError) -> Operand {
    let start = token.span
    if let quantifier = try takeQuantifier() { return try quantified(quantifier, from: start) }
    switch token.kind {
    case .symbol(.leftBrace): return .expression(.list(try list(quantifier: nil)), height: 1)
    case .argument(let index):
      try advance()
      return .expression(.argument(ArgumentNode(index, span: start)), height: 1)
    case .constant, .keyPathArgument, .collectionWord("@links"): break
    case .word: break
    case .symbol(.leftBracket): throw unexpected("a value", hint: "lists use braces: {1, 2}")
    default: throw unexpected("a value or a property")
    }
    if isAt(.subquery) { return try subquery() }
    if let constant = try takeConstant() {
      return .expression(.constant(constant, span: span(from: start.start)), height: 1)
    }
    return .expression(try propertyOrAggregate(quantifier: nil), height: 1)
  }

  private mutating func takeQuantifier() throws(QueryError) -> Quantifier? {
    // Spelled out: `.some` and `.none` alone would be read as cases of Optional.
    let quantifier: Quantifier
    if token.keyword == Keyword.any || token.keyword == Keyword.some {
      quantifier = .any
    } else if token.keyword == Keyword.all {
      quantifier = .all
    } else if token.keyword == Keyword.none {
      quantifier = Quantifier.none
    } else {
      return nil
    }
    try advance()
    return quantifier
  }

  private mutating func quantified(_ quantifier: Quantifier, from start: SourceSpan) throws(QueryError) -> Operand {
    switch token.kind {
    case .symbol(.leftBrace): return .expression(.list(try list(quantifier: quantifier)), height: 1)
    case .argument(let index):
      try advance()
      let node = ArgumentNode(index, quantifier: quantifier, span: span(from: start.start))
      return .expression(.argument(node), height: 1)
    case .collectionWord("@links"), .keyPathArgument, .word: break
    default: throw unexpected("a collection after \(quantifier.rawValue)")
    }
    if let keyword = token.keyword, !keyword.mayBeName {
      throw unexpected("a collection after \(quantifier.rawValue)")
    }
    let expression = try propertyOrAggregate(quantifier: quantifier)
    if case .aggregate(let node) = expression {
      throw failure("a quantifier cannot stand before an aggregate", at: start.through(node.span))
    }
    return .expression(expression, height: 1)
  }

  /// A constant at the current token; nil, with nothing taken, when there is none.
  mutating func takeConstant() throws(QueryError) -> QueryConstant? {
    if case .constant(let constant) = token.kind {
      try advance()
      return constant
    }
    switch token.keyword {
    case .true, .false:
      let value = isAt(Keyword.true)
      try advance()
      return .bool(value)
    case .null:
      try advance()
      return .null
    case .binary:
      // A property may be called so too; a parenthesis decides.
      guard startsParenthesis() else { return nil }
      try advance()
      return .data(try binaryContent())
    case .obj:
      try advance()
      return try objectLiteral()
    default: return nil
    }
  }

  /// Whether the next character that is no blank is an opening parenthesis.
  func startsParenthesis() -> Bool {
    var at = lexer.position
    while at < lexer.bytes.count, lexer.bytes[at] <= 0x20 { at += 1 }
    return at < lexer.bytes.count && lexer.bytes[at] == UInt8(ascii: "(")
  }

  private mutating func binaryContent() throws(QueryError) -> [UInt8] {
    // Base64 may hold bytes that are no text, so it is read here and not as a string token.
    guard isAt(.leftParenthesis) else { throw unexpected("'(' after binary") }
    while [0x20, 0x09, 0x0A, 0x0D].contains(lexer.byte()) { lexer.position += 1 }
    let bytes: [UInt8]
    if lexer.bytes[min(lexer.position, lexer.bytes.count)...].starts(with: Array("B64\"".utf8)) {
      bytes = try lexer.base64Bytes()
      try advance()
    } else {
      try advance()
      guard case .constant(.string(let text)) = token.kind else {
        throw unexpected("a string in binary(…)", hint: "write binary(\"text\") or binary(B64\"…\")")
      }
      bytes = Array(text.utf8)
      try advance()
    }
    try expect(.rightParenthesis, in: "to close binary(…)")
    return bytes
  }

  private mutating func objectLiteral() throws(QueryError) -> QueryConstant {
    let hint = "objects are written obj(\"Class\", key)"
    try expect(.leftParenthesis, in: "after obj", hint: hint)
    guard case .constant(.string(let name)) = token.kind else { throw unexpected("a class name in quotes", hint: hint) }
    let className = name.hasPrefix("class_") ? String(name.dropFirst(6)) : name
    try advance()
    try expect(.comma, in: "after the class name", hint: hint)
    let result: QueryConstant
    switch token.kind {
    case .argument(let index): result = .objectWithArgument(className: className, argument: index)
    case .constant(let constant):
      guard let value = constant.value, let key = ObjectKey(value) else {
        throw unexpected("a primary key (an int, string, uuid, oid or argument)", hint: hint)
      }
      result = .object(ObjectReference(className: className, key: key))
    default:
      throw unexpected("a primary key (an int, string, uuid, oid or argument)", hint: hint)
    }
    try advance()
    try expect(.rightParenthesis, in: "to close obj(…)", hint: hint)
    return result
  }

  mutating func list(quantifier: Quantifier?) throws(QueryError) -> ListNode {
    let start = quantifier == nil ? token.span.start : lastEnd
    try expect(.leftBrace, in: "to open a list")
    var elements: [ListNode.Element] = []
    if try !take(.rightBrace) {
      repeat {
        if case .argument(let index) = token.kind {
          elements.append(.argument(index))
          try advance()
        } else if let constant = try takeConstant() {
          elements.append(.constant(constant))
        } else {
          throw unexpected("a constant or an argument in the list")
        }
      } while try take(.comma)
      try expect(.rightBrace, in: "or ',' in the list")
    }
    return ListNode(elements, quantifier: quantifier, span: span(from: start))
  }

  private mutating func subquery() throws(QueryError) -> Operand {
    let start = token.span.start
    let hint = "write SUBQUERY(dogs, $d, $d.age > 2).@count"
    try enter()
    try advance()
    try expect(.leftParenthesis, in: "after SUBQUERY", hint: hint)
    let path = try path()
    try expect(.comma, in: "after the path of a subquery", hint: hint)
    guard case .word(let variable) = token.kind, variable.hasPrefix("$"), variable.utf8.count > 1 else {
      throw unexpected("a variable that starts with '$'", hint: hint)
    }
    try advance()
    try expect(.comma, in: "after the variable of a subquery", hint: hint)
    let (predicate, height) = try requireWithHeight(disjunction())
    try expect(.rightParenthesis, in: "to close SUBQUERY", hint: hint)
    depth -= 1
    try expect(.dot, in: "and @count after SUBQUERY(…)", hint: hint)
    guard token.kind == .collectionWord("@count") || token.kind == .collectionWord("@size") else {
      throw unexpected("@count after SUBQUERY(…)", hint: hint)
    }
    try advance()
    let node = SubqueryNode(path, variable: variable, predicate: predicate, span: span(from: start))
    return .expression(.subquery(node), height: height + 1)
  }
}

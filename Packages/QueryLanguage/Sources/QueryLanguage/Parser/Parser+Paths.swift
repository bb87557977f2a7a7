/// Paths with their endings: counts, types, aggregates.
extension Parser {
  /// A property with its suffix, or an aggregate.
  mutating func propertyOrAggregate(quantifier: Quantifier?) throws(QueryError) -> QueryExpression {
    let start = token.span.start
    let (path, ending) = try pathWithEnding()
    switch ending {
    case nil:
      return .property(PropertyNode(path, quantifier: quantifier, span: span(from: start)))
    case .suffix(let suffix):
      return .property(PropertyNode(path, quantifier: quantifier, suffix: suffix, span: span(from: start)))
    case .aggregate(let operation):
      var property: String?
      if try take(.dot) { property = try name() }
      return .aggregate(AggregateNode(path, operation, property: property, span: span(from: start)))
    }
  }

  /// A path without an ending.
  mutating func path() throws(QueryError) -> QueryPath {
    let (path, ending) = try pathWithEnding()
    if ending != nil { throw failure("expected a path without '@' at its end", at: path.span) }
    return path
  }

  private enum Ending {
    case suffix(PropertyNode.Suffix)
    case aggregate(AggregateOperation)
  }

  private mutating func pathWithEnding() throws(QueryError) -> (QueryPath, Ending?) {
    let start = token.span.start
    var elements = [try firstElement()]
    func finished(_ end: Int) -> QueryPath { QueryPath(elements, span: SourceSpan(start, end)) }
    while true {
      if case .allBacklinks = elements[elements.count - 1].step {
        let end = lastEnd
        try expect(.dot, in: "and a class or @count after @links")
        guard let ending = try ending() else { throw unexpected("@count after @links") }
        return (finished(end), ending)
      }
      if case .keyPathArgument = elements[elements.count - 1].step, isAt(.leftBracket) {
        throw unexpected("the end of the path: $K is a whole path")
      }
      if isAt(.leftBracket) {
        let end = lastEnd
        guard let step = try index() else { return (finished(end), .suffix(.count)) }
        elements.append(QueryPath.Element(step, span: SourceSpan(end, lastEnd)))
        continue
      }
      guard isAt(.dot) else { return (finished(lastEnd), nil) }
      let end = lastEnd
      try advance()
      if let ending = try ending() { return (finished(end), ending) }
      if case .keyPathArgument = elements[elements.count - 1].step {
        throw unexpected("the end of the path: $K is a whole path")
      }
      elements.append(try element())
    }
  }

  private mutating func firstElement() throws(QueryError) -> QueryPath.Element {
    if case .keyPathArgument(let index) = token.kind {
      let span = token.span
      try advance()
      return QueryPath.Element(.keyPathArgument(index), span: span)
    }
    return try element()
  }

  /// A name, `@keys`, `@values` or `@links.Class.property`.
  private mutating func element() throws(QueryError) -> QueryPath.Element {
    let span = token.span
    switch token.kind {
    case .collectionWord("@keys"):
      try advance()
      return QueryPath.Element(.keys, span: span)
    case .collectionWord("@values"):
      try advance()
      return QueryPath.Element(.values, span: span)
    case .collectionWord("@links"):
      try advance()
      return try backlinks(from: span)
    default:
      return QueryPath.Element(.name(try name()), span: span)
    }
  }

  private mutating func backlinks(from start: SourceSpan) throws(QueryError) -> QueryPath.Element {
    guard isAt(.dot) else { throw unexpected("'.' and a class after @links", hint: "write @links.Class.property") }
    // The dot is followed by a class name, or by `@count` or `@size`.
    var at = lexer.position
    while at < lexer.bytes.count, lexer.bytes[at] <= 0x20 { at += 1 }
    if at < lexer.bytes.count, lexer.bytes[at] == UInt8(ascii: "@") {
      return QueryPath.Element(.allBacklinks, span: start)
    }
    try advance()
    let className = try name()
    try expect(.dot, in: "and a property after the class", hint: "write @links.Class.property")
    let property = try name()
    return QueryPath.Element(
      .backlinks(className: className, property: property), span: SourceSpan(start.start, lastEnd))
  }

  mutating func name() throws(QueryError) -> String {
    guard case .word(let word) = token.kind else { throw unexpected("a property name") }
    if let keyword = token.keyword, !keyword.mayBeName {
      throw unexpected("a property name", hint: "'\(word)' is reserved; reach such a property with $K0")
    }
    if lexer.dialect == .nspredicate, token.keyword == nil {
      if word.uppercased() == "SELF" {
        guard isAboutValues else {
          throw unsupported(
            "'\(word)' is not supported: the elements are objects, which have properties", at: token.span)
        }
        try advance()
        return "self"
      }
      if startsParenthesis() { throw unsupported("the function '\(word)' is not supported", at: token.span) }
    }
    try advance()
    return word
  }

  private mutating func ending() throws(QueryError) -> Ending? {
    guard case .collectionWord(let word) = token.kind else { return nil }
    let ending: Ending
    switch word {
    case "@count", "@size": ending = .suffix(.count)
    case "@type": ending = .suffix(.type)
    default:
      guard let operation = AggregateOperation(rawValue: word) else { return nil }
      ending = .aggregate(operation)
    }
    try advance()
    return ending
  }

  /// The step in brackets; nil for `[SIZE]`.
  private mutating func index() throws(QueryError) -> QueryPath.Step? {
    try expect(.leftBracket, in: "to open an index")
    let step: QueryPath.Step?
    switch token.kind {
    case .constant(.int(let value)) where isPlainDigits: step = .index(Int(value))
    case .constant(.string(let key)): step = .key(key)
    case .argument(let index): step = .argument(index)
    case .symbol(.times): step = .all
    case .keyPathArgument(let index) where isWildcardArgument(index): step = .all
    case .word("any") where lexer.dialect == .nspredicate && lexer.bytes[token.span.start] == UInt8(ascii: "#"):
      step = .all
    default:
      switch token.keyword {
      case .first: step = .index(0)
      case .last: step = .last
      case .size: step = nil
      default: throw unexpected("an index: a number, FIRST, LAST, *, SIZE, a key in quotes or an argument")
      }
    }
    try advance()
    try expect(.rightBracket, in: "to close the index")
    return step
  }

  private var isPlainDigits: Bool {
    lexer.bytes[token.span.start..<token.span.end].allSatisfy(Lexer.isDigit)
  }

  private func isWildcardArgument(_ index: Int) -> Bool {
    guard let formatArguments, formatArguments.indices.contains(index) else { return false }
    return formatArguments[index] == .value(.string("#any"))
  }
}

/// Reads a document by recursive descent. Nesting and tokens are bounded by ``GraphQLLimits``; time is O(bytes).
struct Parser {
  var lexer: Lexer
  var token: Token
  private let limits: GraphQLLimits
  private var depth = 0

  init(_ bytes: [UInt8], limits: GraphQLLimits) throws(GraphQLError) {
    guard bytes.count <= limits.documentBytes else {
      throw GraphQLLimits.exceeded(
        "documentBytes", limits.documentBytes,
        "The document has \(bytes.count) bytes, more than \(limits.documentBytes).")
    }
    self.limits = limits
    lexer = Lexer(bytes)
    token = try lexer.next()
  }

  /// Where the present token begins.
  var offset: SourceOffset { SourceOffset(Int(token.start)) }

  /// Moves to the next token.
  mutating func advance() throws(GraphQLError) {
    if lexer.tokenCount > limits.tokens {
      throw GraphQLLimits.exceeded(
        "tokens", limits.tokens, "The document has more than \(limits.tokens) tokens.", locations: [location])
    }
    token = try lexer.next()
  }

  /// Runs one level deeper.
  mutating func nested<T>(_ body: (inout Parser) throws(GraphQLError) -> T) throws(GraphQLError) -> T {
    guard depth < limits.depth else {
      throw GraphQLLimits.exceeded(
        "depth", limits.depth, "The document is nested more than \(limits.depth) levels deep.", locations: [location])
    }
    depth += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  private var location: SourceLocation { SourceText(bytes: lexer.bytes).location(of: offset) }

  // MARK: Tokens

  func at(_ kind: Token.Kind) -> Bool { token.kind == kind }

  mutating func skip(_ kind: Token.Kind) throws(GraphQLError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  mutating func expect(_ kind: Token.Kind) throws(GraphQLError) {
    guard token.kind == kind else { throw unexpected("expected \(kind.described)") }
    try advance()
  }

  /// The text of the present token.
  var text: String {
    String(decoding: lexer.bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
  }

  /// Whether the present token is a certain name.
  func at(word: StaticString) -> Bool {
    guard token.kind == .name, Int(token.end - token.start) == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { lexer.bytes[Int(token.start)..<Int(token.end)].elementsEqual($0) }
  }

  mutating func skip(word: StaticString) throws(GraphQLError) -> Bool {
    guard at(word: word) else { return false }
    try advance()
    return true
  }

  mutating func expect(word: StaticString) throws(GraphQLError) {
    guard try skip(word: word) else { throw unexpected("expected \"\(word)\"") }
  }

  mutating func name() throws(GraphQLError) -> Name {
    guard token.kind == .name else { throw unexpected("expected a name") }
    let name = Name(text, at: offset)
    try advance()
    return name
  }

  /// A list between two signs with at least one element.
  mutating func many<T>(
    _ open: Token.Kind, _ close: Token.Kind, _ element: (inout Parser) throws(GraphQLError) -> T
  ) throws(GraphQLError) -> [T] {
    try expect(open)
    var elements: [T] = []
    repeat { elements.append(try element(&self)) } while try !skip(close)
    return elements
  }

  /// The same, or no elements when the opening sign is missing.
  mutating func optionalMany<T>(
    _ open: Token.Kind, _ close: Token.Kind, _ element: (inout Parser) throws(GraphQLError) -> T
  ) throws(GraphQLError) -> [T] {
    at(open) ? try many(open, close, element) : []
  }

  func unexpected(_ expectation: String) -> GraphQLError {
    let found: String =
      switch token.kind {
      case .name, .int, .float: "\"\(text)\""
      case .string, .blockString: "the string \(text.count > 40 ? text.prefix(40) + "…" : text[...])"
      case .end, .bang, .dollar, .ampersand, .leftParenthesis, .rightParenthesis, .spread, .colon, .equals, .at,
        .leftBracket, .rightBracket, .leftBrace, .pipe, .rightBrace:
        token.kind.described
      }
    return lexer.failure("\(expectation), found \(found).", at: Int(token.start))
  }
}

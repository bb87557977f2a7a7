extension GraphQLDocument {
  /// Reads a document.
  ///
  ///     try GraphQLDocument(parsing: "{ dog { name ").operations
  ///     // throws 1:14: Syntax error: expected a name, found the end of the document.
  ///
  /// - Throws: ``GraphQLError`` with the place of the first character that does not fit, or with the bound of `limits`
  ///   that the text exceeds.
  /// - Complexity: O(*n*) over the bytes.
  public init(parsing text: String, limits: GraphQLLimits = GraphQLLimits()) throws(GraphQLError) {
    try self.init(validUTF8: Array(text.utf8), limits: limits)
  }

  /// Reads a document from bytes.
  ///
  /// - Throws: ``GraphQLError``, as for a text; also when the bytes are not UTF-8.
  public init(parsing bytes: [UInt8], limits: GraphQLLimits = GraphQLLimits()) throws(GraphQLError) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw GraphQLError("Syntax error: the document is not valid UTF-8.", code: "GRAPHQL_PARSE_FAILED")
    }
    try self.init(validUTF8: bytes, limits: limits)
  }

  private init(validUTF8 bytes: [UInt8], limits: GraphQLLimits) throws(GraphQLError) {
    var parser = try Parser(bytes, limits: limits)
    source = SourceText(bytes: bytes)
    definitions = []
    repeat { definitions.append(try parser.definition()) } while !parser.at(.end)
  }
}

extension ValueLiteral {
  /// Reads one constant value: `[1, {name: "Ada"}]`.
  ///
  /// - Throws: ``GraphQLError`` with the place of the first character that does not fit.
  public init(parsing text: String) throws(GraphQLError) {
    var parser = try Parser(Array(text.utf8), limits: GraphQLLimits())
    self = try parser.value(isConstant: true)
    guard parser.at(.end) else { throw parser.unexpected("expected the end of the value") }
  }
}

extension Parser {
  mutating func definition() throws(GraphQLError) -> GraphQLDocument.Definition {
    if at(.leftBrace) { return .operation(try operation(description: nil)) }
    let description = try description()
    if operationKind() != nil || at(.leftBrace) { return .operation(try operation(description: description)) }
    if at(word: "fragment") { return .fragment(try fragment(description: description)) }
    if at(word: "extend") {
      if description != nil { throw unexpected("an extension has no description") }
      return try typeSystemExtension()
    }
    return try typeSystemDefinition(description: description)
  }
}

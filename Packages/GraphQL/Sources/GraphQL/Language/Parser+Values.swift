/// Values and references to types.
extension Parser {
  mutating func value(isConstant: Bool) throws(GraphQLError) -> ValueLiteral {
    let start = offset
    let kind: ValueLiteral.Kind
    switch token.kind {
    case .int: kind = .int(text)
    case .float: kind = .float(text)
    case .string, .blockString: return ValueLiteral(.string(try string()), at: start)
    case .name:
      if at(word: "true") {
        kind = .boolean(true)
      } else if at(word: "false") {
        kind = .boolean(false)
      } else if at(word: "null") {
        kind = .null
      } else {
        kind = .enumeration(text)
      }
    case .dollar:
      if isConstant { throw unexpected("a constant value holds no variable") }
      try advance()
      return ValueLiteral(.variable(try name().text), at: start)
    case .leftBracket:
      let elements = try listElements(.leftBracket, .rightBracket) { parser throws(GraphQLError) in
        try parser.value(isConstant: isConstant)
      }
      return ValueLiteral(.list(elements), at: start)
    case .leftBrace:
      let fields = try listElements(.leftBrace, .rightBrace) { parser throws(GraphQLError) in
        let name = try parser.name()
        try parser.expect(.colon)
        return Argument(name, try parser.value(isConstant: isConstant))
      }
      return ValueLiteral(.object(fields), at: start)
    case .end, .bang, .ampersand, .leftParenthesis, .rightParenthesis, .spread, .colon, .equals, .at, .rightBracket,
      .pipe, .rightBrace:
      throw unexpected("expected a value")
    }
    try advance()
    return ValueLiteral(kind, at: start)
  }

  /// A list that may be empty, one level deeper.
  private mutating func listElements<T>(
    _ open: Token.Kind, _ close: Token.Kind, _ element: (inout Parser) throws(GraphQLError) -> T
  ) throws(GraphQLError) -> [T] {
    try nested { parser throws(GraphQLError) in
      try parser.expect(open)
      var elements: [T] = []
      while try !parser.skip(close) { elements.append(try element(&parser)) }
      return elements
    }
  }

  mutating func string() throws(GraphQLError) -> StringLiteral {
    let isBlock = token.kind == .blockString
    let quotes = isBlock ? 3 : 1
    let content = lexer.bytes[(Int(token.start) + quotes)..<(Int(token.end) - quotes)]
    let value: String
    if isBlock {
      value = StringDecoding.decodeBlock(content)
    } else if token.hasEscapes {
      value = StringDecoding.decode(content, of: lexer.bytes)
    } else {
      value = String(decoding: content, as: UTF8.self)
    }
    let literal = StringLiteral(value, isBlock: isBlock, at: offset)
    try advance()
    return literal
  }

  /// The description before a definition, if there is one.
  mutating func description() throws(GraphQLError) -> StringLiteral? {
    at(.string) || at(.blockString) ? try string() : nil
  }

  mutating func typeReference() throws(GraphQLError) -> TypeReference {
    let type: TypeReference
    if at(.leftBracket) {
      type = .list(
        try nested { parser throws(GraphQLError) in
          try parser.expect(.leftBracket)
          let inner = try parser.typeReference()
          try parser.expect(.rightBracket)
          return inner
        })
    } else {
      type = .named(try name())
    }
    return try skip(.bang) ? .nonNull(type) : type
  }
}

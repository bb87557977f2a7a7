/// Definitions and extensions of types.
extension Parser {
  mutating func typeSystemDefinition(description: StringLiteral?) throws(GraphQLError) -> GraphQLDocument.Definition {
    if at(word: "schema") { return .schema(try schema(description: description, isExtension: false, from: offset)) }
    if at(word: "directive") { return .directive(try directiveDefinition(description: description)) }
    return .type(try type(description: description, isExtension: false, from: offset))
  }

  mutating func typeSystemExtension() throws(GraphQLError) -> GraphQLDocument.Definition {
    let start = offset
    try expect(word: "extend")
    if at(word: "schema") { return .schema(try schema(description: nil, isExtension: true, from: start)) }
    let type = try type(description: nil, isExtension: true, from: start)
    if type.directives.isEmpty, type.interfaces.isEmpty, type.fields.isEmpty, type.members.isEmpty,
      type.values.isEmpty, type.inputFields.isEmpty
    {
      throw unexpected("expected something that the extension adds")
    }
    return .type(type)
  }

  private mutating func schema(
    description: StringLiteral?, isExtension: Bool, from start: SourceOffset
  ) throws(GraphQLError) -> SchemaDefinition {
    try expect(word: "schema")
    let directives = try directives(isConstant: true)
    let roots: [SchemaDefinition.Root]
    if isExtension, !directives.isEmpty, !at(.leftBrace) {
      roots = []
    } else {
      roots = try many(.leftBrace, .rightBrace) { parser throws(GraphQLError) in
        let start = parser.offset
        guard let kind = parser.operationKind() else { throw parser.unexpected("expected a kind of operation") }
        try parser.advance()
        try parser.expect(.colon)
        return SchemaDefinition.Root(kind: kind, type: try parser.name(), offset: start)
      }
    }
    return SchemaDefinition(
      description: description, directives: directives, roots: roots, isExtension: isExtension, offset: start)
  }

  private mutating func type(
    description: StringLiteral?, isExtension: Bool, from start: SourceOffset
  ) throws(GraphQLError) -> TypeDefinition {
    guard let kind = typeKind() else { throw unexpected("expected a definition") }
    try advance()
    var type = TypeDefinition(kind, try name(), description: description, isExtension: isExtension, at: start)
    if kind == .object || kind == .interface, try skip(word: "implements") {
      type.interfaces = try delimited(.ampersand) { parser throws(GraphQLError) in try parser.name() }
    }
    type.directives = try directives(isConstant: true)
    switch kind {
    case .scalar: break
    case .object, .interface:
      type.fields = try optionalMany(.leftBrace, .rightBrace) { parser throws(GraphQLError) in
        try parser.fieldDefinition()
      }
    case .union:
      if try skip(.equals) {
        type.members = try delimited(.pipe) { parser throws(GraphQLError) in try parser.name() }
      }
    case .enumeration:
      type.values = try optionalMany(.leftBrace, .rightBrace) { parser throws(GraphQLError) in
        try parser.enumValue()
      }
    case .inputObject:
      type.inputFields = try optionalMany(.leftBrace, .rightBrace) { parser throws(GraphQLError) in
        try parser.inputValue()
      }
    }
    return type
  }

  private func typeKind() -> TypeKind? {
    if at(word: "type") { return .object }
    if at(word: "scalar") { return .scalar }
    if at(word: "interface") { return .interface }
    if at(word: "union") { return .union }
    if at(word: "enum") { return .enumeration }
    return at(word: "input") ? .inputObject : nil
  }

  /// One or more elements with a sign between them, and before the first if wanted.
  private mutating func delimited<T>(
    _ delimiter: Token.Kind, _ element: (inout Parser) throws(GraphQLError) -> T
  ) throws(GraphQLError) -> [T] {
    _ = try skip(delimiter)
    var elements: [T] = []
    repeat { elements.append(try element(&self)) } while try skip(delimiter)
    return elements
  }

  private mutating func fieldDefinition() throws(GraphQLError) -> FieldDefinition {
    let description = try description()
    let name = try name()
    let arguments = try argumentDefinitions()
    try expect(.colon)
    let type = try typeReference()
    return FieldDefinition(
      name, type, arguments: arguments, description: description, directives: try directives(isConstant: true))
  }

  private mutating func argumentDefinitions() throws(GraphQLError) -> [InputValueDefinition] {
    try optionalMany(.leftParenthesis, .rightParenthesis) { parser throws(GraphQLError) in try parser.inputValue() }
  }

  private mutating func inputValue() throws(GraphQLError) -> InputValueDefinition {
    let description = try description()
    let name = try name()
    try expect(.colon)
    let type = try typeReference()
    let defaultValue = try skip(.equals) ? try value(isConstant: true) : nil
    return InputValueDefinition(
      name, type, defaultValue: defaultValue, description: description, directives: try directives(isConstant: true))
  }

  private mutating func enumValue() throws(GraphQLError) -> EnumValueDefinition {
    let description = try description()
    if at(word: "true") || at(word: "false") || at(word: "null") {
      throw unexpected("expected a value of the enumeration")
    }
    return EnumValueDefinition(try name(), description: description, directives: try directives(isConstant: true))
  }

  private mutating func directiveDefinition(description: StringLiteral?) throws(GraphQLError) -> DirectiveDefinition {
    let start = offset
    try expect(word: "directive")
    try expect(.at)
    let name = try name()
    let arguments = try argumentDefinitions()
    let isRepeatable = try skip(word: "repeatable")
    try expect(word: "on")
    let locations = try delimited(.pipe) { parser throws(GraphQLError) in
      guard parser.at(.name), let location = DirectiveLocation(rawValue: parser.text) else {
        throw parser.unexpected("expected a place for directives")
      }
      try parser.advance()
      return location
    }
    return DirectiveDefinition(
      description: description, name: name, arguments: arguments, isRepeatable: isRepeatable, locations: locations,
      offset: start)
  }
}

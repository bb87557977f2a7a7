/// Operations, fragments and their selections.
extension Parser {
  mutating func operation(description: StringLiteral?) throws(GraphQLError) -> OperationDefinition {
    let start = offset
    if at(.leftBrace) {
      if description != nil { throw unexpected("a description stands before a keyword") }
      return OperationDefinition(
        description: nil, kind: .query, name: nil, variables: [], directives: [], selectionSet: try selectionSet(),
        offset: start)
    }
    guard let kind = operationKind() else { throw unexpected("expected an operation") }
    try advance()
    let name = at(.name) ? try name() : nil
    let variables = try optionalMany(.leftParenthesis, .rightParenthesis) { parser throws(GraphQLError) in
      try parser.variableDefinition()
    }
    return OperationDefinition(
      description: description, kind: kind, name: name, variables: variables,
      directives: try directives(isConstant: false), selectionSet: try selectionSet(), offset: start)
  }

  /// The kind of operation that the present word begins.
  func operationKind() -> OperationKind? {
    if at(word: "query") { return .query }
    if at(word: "mutation") { return .mutation }
    return at(word: "subscription") ? .subscription : nil
  }

  private mutating func variableDefinition() throws(GraphQLError) -> VariableDefinition {
    let description = try description()
    let start = offset
    try expect(.dollar)
    let name = try name()
    try expect(.colon)
    let type = try typeReference()
    let defaultValue = try skip(.equals) ? try value(isConstant: true) : nil
    return VariableDefinition(
      description: description, name: name, type: type, defaultValue: defaultValue,
      directives: try directives(isConstant: true), offset: start)
  }

  mutating func fragment(description: StringLiteral?) throws(GraphQLError) -> FragmentDefinition {
    let start = offset
    try expect(word: "fragment")
    if at(word: "on") { throw unexpected("expected the name of a fragment") }
    let name = try name()
    try expect(word: "on")
    return FragmentDefinition(
      description: description, name: name, typeCondition: try self.name(),
      directives: try directives(isConstant: false), selectionSet: try selectionSet(), offset: start)
  }

  mutating func selectionSet() throws(GraphQLError) -> SelectionSet {
    let start = offset
    return try nested { parser throws(GraphQLError) in
      try parser.expect(.leftBrace)
      var selections: [Selection] = []
      while try !parser.skip(.rightBrace) { selections.append(try parser.selection()) }
      return SelectionSet(selections: selections, offset: start)
    }
  }

  private mutating func selection() throws(GraphQLError) -> Selection {
    guard at(.spread) else { return .field(try field()) }
    let start = offset
    try advance()
    if at(.name), !at(word: "on") {
      return .spread(
        FragmentSpread(name: try name(), directives: try directives(isConstant: false), offset: start))
    }
    let condition = try skip(word: "on") ? try name() : nil
    return .inline(
      InlineFragment(
        typeCondition: condition, directives: try directives(isConstant: false), selectionSet: try selectionSet(),
        offset: start))
  }

  private mutating func field() throws(GraphQLError) -> Field {
    var name = try name()
    var alias: Name?
    if try skip(.colon) {
      alias = name
      name = try self.name()
    }
    return Field(
      alias: alias, name: name, arguments: try arguments(isConstant: false),
      directives: try directives(isConstant: false), selectionSet: at(.leftBrace) ? try selectionSet() : nil)
  }

  mutating func arguments(isConstant: Bool) throws(GraphQLError) -> [Argument] {
    try optionalMany(.leftParenthesis, .rightParenthesis) { parser throws(GraphQLError) in
      let name = try parser.name()
      try parser.expect(.colon)
      return Argument(name, try parser.value(isConstant: isConstant))
    }
  }

  mutating func directives(isConstant: Bool) throws(GraphQLError) -> [Directive] {
    guard at(.at) else { return [] }
    var directives: [Directive] = []
    while at(.at) {
      let start = offset
      try advance()
      directives.append(Directive(try name(), arguments: try arguments(isConstant: isConstant), at: start))
    }
    return directives
  }
}

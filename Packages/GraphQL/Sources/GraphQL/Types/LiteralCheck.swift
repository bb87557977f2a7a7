/// Compares a literal with the type that is expected in its place. Variables are left to other rules.
struct LiteralCheck {
  let schema: GraphQLSchema
  let suggests: Bool
  private(set) var problems: [Problem] = []
  /// One literal gives no more problems than this.
  private static let mostProblems = 100

  struct Problem {
    var message: String
    var offset: SourceOffset
  }

  init(schema: GraphQLSchema, suggests: Bool) {
    self.schema = schema
    self.suggests = suggests
  }

  private mutating func fail(_ message: String, _ value: ValueLiteral) {
    problems.append(Problem(message: message, offset: value.offset))
  }

  mutating func check(_ value: ValueLiteral, _ type: TypeReference) {
    if value.variable != nil || problems.count >= Self.mostProblems { return }
    if value.isNull {
      if type.isNonNull { fail("Expected a value of type \"\(type)\", found null.", value) }
      return
    }
    switch type.nullable {
    case .list(let element):
      if case .list(let elements) = value.kind {
        for item in elements { check(item, element) }
      } else {
        check(value, element)
      }
    case .named(let name):
      guard let definition = schema.type(named: name.text) else { return }
      switch definition.kind {
      case .scalar: checkScalar(value, definition, type)
      case .enumeration: checkEnumeration(value, definition)
      case .inputObject: checkObject(value, definition, type)
      case .object, .interface, .union: break
      }
    case .nonNull: break
    }
  }

  private mutating func checkScalar(_ value: ValueLiteral, _ type: TypeDefinition, _ expected: TypeReference) {
    guard schema.coerceScalar(value, type.name.text, variables: [:]) == nil else { return }
    fail("Expected a value of type \"\(expected)\", found \(shown(value)).\(scalarHint(value, type))", value)
  }

  private func scalarHint(_ value: ValueLiteral, _ type: TypeDefinition) -> String {
    if type.name.text == "Int", case .int = value.kind { return " An Int has 32 bits." }
    return ""
  }

  private mutating func checkEnumeration(_ value: ValueLiteral, _ type: TypeDefinition) {
    let names = type.values.map(\.name.text)
    if case .enumeration(let word) = value.kind {
      guard !names.contains(word) else { return }
      let hint = suggests ? Suggestions.text(word, among: names, prefix: "the value ") : ""
      return fail("The enumeration \"\(type.name.text)\" has no value \"\(word)\".\(hint)", value)
    }
    var hint = ""
    if suggests, case .string(let text) = value.kind {
      hint = Suggestions.text(text.value, among: names, prefix: "the value ")
    }
    fail("Expected a value of the enumeration \"\(type.name.text)\", found \(shown(value)).\(hint)", value)
  }

  private mutating func checkObject(_ value: ValueLiteral, _ type: TypeDefinition, _ expected: TypeReference) {
    guard case .object(let fields) = value.kind else {
      return fail("Expected a value of type \"\(expected)\", found \(shown(value)).", value)
    }
    let given = Set(fields.map(\.name.text))
    for field in type.inputFields where field.isRequired && !given.contains(field.name.text) {
      fail("The field \"\(type.name.text).\(field.name.text)\" of type \"\(field.type)\" is missing.", value)
    }
    for field in fields {
      if let definition = schema.inputField(field.name.text, of: type.name.text) {
        check(field.value, definition.type)
      } else {
        let hint = suggests ? Suggestions.text(field.name.text, among: type.inputFields.map(\.name.text)) : ""
        problems.append(
          Problem(
            message: "The field \"\(field.name.text)\" is not defined by type \"\(type.name.text)\".\(hint)",
            offset: field.name.offset))
      }
    }
    if type.isOneOf { checkOneOf(value, fields, type) }
  }

  private mutating func checkOneOf(_ value: ValueLiteral, _ fields: [Argument], _ type: TypeDefinition) {
    guard fields.count == 1, let only = fields.first else {
      return fail("The input \"\(type.name.text)\" takes exactly one field.", value)
    }
    if only.value.isNull {
      fail("The field \"\(type.name.text).\(only.name.text)\" must not be null.", value)
    }
  }

  private func shown(_ value: ValueLiteral) -> String {
    let text = value.description
    return text.utf8.count > 80 ? text.prefix(80) + "…" : text
  }
}

extension GraphQLSchema {
  /// A literal as a value of a scalar; nil when the scalar does not have it.
  func coerceScalar(
    _ literal: ValueLiteral, _ name: String, variables: [String: GraphQLValue]
  ) -> GraphQLValue? {
    switch (name, literal.kind) {
    case ("Int", .int), ("Float", .int), ("Float", .float), ("String", .string), ("Boolean", .boolean),
      ("ID", .string):
      break
    case ("ID", .int(let digits)): return .string(digits)
    case ("Int", _), ("Float", _), ("String", _), ("Boolean", _), ("ID", _): return nil
    default: break
    }
    let value = GraphQLValue(literal, variables: variables)
    guard let scalar = scalars[name] else { return value }
    return scalar.input(value)
  }
}

/// Coercion of literals and of values of variables to the types of arguments.
extension GraphQLSchema {
  /// A literal as a value of a type; nil when it is none. Variables have been coerced before.
  func coerce(
    _ literal: ValueLiteral, to type: TypeReference, variables: [String: GraphQLValue]
  ) -> GraphQLValue? {
    if let name = literal.variable {
      guard let value = variables[name], !(value == .null && type.isNonNull) else { return nil }
      return value
    }
    if literal.isNull { return type.isNonNull ? nil : .null }
    switch type.nullable {
    case .list(let element): return coerceList(literal, element, variables)
    case .nonNull: return nil
    case .named(let name):
      guard let definition = self.type(named: name.text) else { return nil }
      switch definition.kind {
      case .scalar: return coerceScalar(literal, name.text, variables: variables)
      case .enumeration:
        guard case .enumeration(let word) = literal.kind, definition.values.contains(where: { $0.name.text == word })
        else { return nil }
        return .enumeration(word)
      case .inputObject: return coerceObject(literal, definition, variables)
      case .object, .interface, .union: return nil
      }
    }
  }

  private func coerceList(
    _ literal: ValueLiteral, _ element: TypeReference, _ variables: [String: GraphQLValue]
  ) -> GraphQLValue? {
    guard case .list(let items) = literal.kind else {
      return coerce(literal, to: element, variables: variables).map { .list([$0]) }
    }
    var values: [GraphQLValue] = []
    for item in items {
      if let name = item.variable, variables[name] == nil {
        // A variable without a value is null in a list.
        guard !element.isNonNull else { return nil }
        values.append(.null)
      } else if let value = coerce(item, to: element, variables: variables) {
        values.append(value)
      } else {
        return nil
      }
    }
    return .list(values)
  }

  private func coerceObject(
    _ literal: ValueLiteral, _ type: TypeDefinition, _ variables: [String: GraphQLValue]
  ) -> GraphQLValue? {
    guard case .object(let fields) = literal.kind,
      fields.allSatisfy({ inputField($0.name.text, of: type.name.text) != nil })
    else { return nil }
    var members: [GraphQLValue.Member] = []
    for definition in type.inputFields {
      let given = fields.first { $0.name == definition.name }?.value
      if let given, !(given.variable.map { variables[$0] == nil } ?? false) {
        guard let value = coerce(given, to: definition.type, variables: variables) else { return nil }
        members.append(.init(definition.name.text, value))
      } else if let value = defaultValue(of: definition) {
        members.append(.init(definition.name.text, value))
      } else if definition.type.isNonNull {
        return nil
      }
    }
    if type.isOneOf, !(members.count == 1 && fields.count == 1 && members.allSatisfy { $0.value != .null }) {
      return nil
    }
    return .object(members)
  }

  /// The default value of an argument or an input field, coerced.
  func defaultValue(of definition: InputValueDefinition) -> GraphQLValue? {
    definition.defaultValue.flatMap { coerce($0, to: definition.type, variables: [:]) }
  }
}

/// Coerces the JSON of one variable to its type, and says what does not fit, and where.
struct VariableCoercion {
  let schema: GraphQLSchema
  private(set) var problems: [String] = []
  private var path = ""

  init(schema: GraphQLSchema, variable: String) {
    self.schema = schema
    path = variable
  }

  private mutating func fail(_ message: String) -> GraphQLValue {
    if problems.count < 8 { problems.append("at \"\(path)\": \(message)") }
    return .null
  }

  private mutating func within(_ step: String, _ body: (inout Self) -> GraphQLValue) -> GraphQLValue {
    let outer = path
    path += step
    defer { path = outer }
    return body(&self)
  }

  mutating func coerce(_ value: GraphQLValue, to type: TypeReference) -> GraphQLValue {
    if value == .null {
      return type.isNonNull ? fail("expected a value of type \"\(type)\", found null.") : .null
    }
    switch type.nullable {
    case .list(let element):
      guard case .list(let items) = value else { return .list([coerce(value, to: element)]) }
      var values: [GraphQLValue] = []
      values.reserveCapacity(items.count)
      for (index, item) in items.enumerated() {
        values.append(within(".\(index)") { $0.coerce(item, to: element) })
      }
      return .list(values)
    case .nonNull: return .null
    case .named(let name):
      guard let definition = schema.type(named: name.text) else { return .null }
      switch definition.kind {
      case .scalar:
        guard let scalar = schema.scalars[name.text] else { return value }
        return scalar.input(value) ?? fail("expected a value of type \"\(type)\", found \(shown(value)).")
      case .enumeration:
        guard case .string(let word) = value, definition.values.contains(where: { $0.name.text == word }) else {
          return fail("the enumeration \"\(name.text)\" has no value \(shown(value)).")
        }
        return .enumeration(word)
      case .inputObject: return coerceObject(value, definition)
      case .object, .interface, .union: return .null
      }
    }
  }

  private mutating func coerceObject(_ value: GraphQLValue, _ type: TypeDefinition) -> GraphQLValue {
    guard case .object(let given) = value else {
      return fail("expected an object of type \"\(type.name.text)\", found \(shown(value)).")
    }
    let values = Dictionary(given.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    var members: [GraphQLValue.Member] = []
    for definition in type.inputFields {
      let name = definition.name.text
      if let item = values[name] {
        members.append(.init(name, within(".\(name)") { $0.coerce(item, to: definition.type) }))
      } else if let value = schema.defaultValue(of: definition) {
        members.append(.init(name, value))
      } else if definition.type.isNonNull {
        _ = fail("the field \"\(name)\" of type \"\(definition.type)\" is missing.")
      }
    }
    for name in values.keys.sorted() where schema.inputField(name, of: type.name.text) == nil {
      _ = fail("the field \"\(name)\" is not defined by type \"\(type.name.text)\".")
    }
    if type.isOneOf {
      if values.count != 1 { return fail("the input \"\(type.name.text)\" takes exactly one field.") }
      if values.values.contains(.null) { return fail("the field of \"\(type.name.text)\" must not be null.") }
    }
    return .object(members)
  }

  private func shown(_ value: GraphQLValue) -> String {
    let text = value.json.text
    return text.utf8.count > 80 ? text.prefix(80) + "…" : text
  }
}

/// The one walk over a document that gathers the facts of a ``ValidationContext``.
struct DocumentWalk {
  private let context: ValidationContext
  private let schema: GraphQLSchema
  private var owner = 0

  init(context: ValidationContext) {
    self.context = context
    schema = context.schema
  }

  mutating func run() {
    for operation in context.operations {
      directives(operation.directives, operation.kind.directiveLocation)
      for variable in operation.variables {
        directives(variable.directives, .variableDefinition)
        if let value = variable.defaultValue { self.value(value, variable.type, hasDefault: false) }
      }
      selections(operation.selectionSet, schema.rootType(of: operation.kind))
      owner += 1
    }
    for fragment in context.fragments {
      directives(fragment.directives, .fragmentDefinition)
      selections(fragment.selectionSet, composite(fragment.typeCondition.text))
      owner += 1
    }
  }

  private func composite(_ name: String) -> TypeDefinition? {
    schema.type(named: name).flatMap { $0.kind.isComposite ? $0 : nil }
  }

  private mutating func selections(_ set: SelectionSet, _ parent: TypeDefinition?) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        let definition = parent.flatMap { schema.field(field.name.text, of: $0.name.text) }
        context.fields.append(.init(field: field, parent: parent, definition: definition))
        arguments(field.arguments, definition?.arguments)
        directives(field.directives, .field)
        if let set = field.selectionSet { selections(set, definition.flatMap { composite($0.type.name.text) }) }
      case .spread(let spread):
        context.spreads.append(.init(spread: spread, parent: parent, owner: owner))
        directives(spread.directives, .fragmentSpread)
      case .inline(let fragment):
        context.inlines.append(.init(fragment: fragment, parent: parent))
        directives(fragment.directives, .inlineFragment)
        selections(fragment.selectionSet, fragment.typeCondition.map { composite($0.text) } ?? parent)
      }
    }
  }

  private mutating func directives(_ directives: [Directive], _ location: DirectiveLocation) {
    guard !directives.isEmpty else { return }
    context.directives.append(.init(directives: directives, location: location))
    for directive in directives {
      arguments(directive.arguments, schema.directive(named: directive.name.text)?.arguments)
    }
  }

  private mutating func arguments(_ arguments: [Argument], _ definitions: [InputValueDefinition]?) {
    for argument in arguments {
      let definition = definitions?.first { $0.name == argument.name }
      value(argument.value, definition?.type, hasDefault: definition?.defaultValue != nil)
    }
  }

  private mutating func value(_ value: ValueLiteral, _ type: TypeReference?, hasDefault: Bool) {
    context.values.append(.init(value: value, type: type))
    variables(value, type, hasDefault: hasDefault, oneOf: nil)
  }

  private mutating func variables(
    _ value: ValueLiteral, _ type: TypeReference?, hasDefault: Bool, oneOf: String?
  ) {
    switch value.kind {
    case .variable(let name):
      context.variables[owner].append(
        .init(name: name, offset: value.offset, type: type, hasDefault: hasDefault, oneOf: oneOf))
    case .list(let elements):
      for element in elements { variables(element, type?.element, hasDefault: false, oneOf: nil) }
    case .object(let fields):
      let object = type.flatMap { $0.element == nil ? schema.type(named: $0.name.text) : listedInput($0) }
      for field in fields {
        let definition = object.flatMap { schema.inputField(field.name.text, of: $0.name.text) }
        variables(
          field.value, definition?.type, hasDefault: definition?.defaultValue != nil,
          oneOf: object?.isOneOf == true ? object?.name.text : nil)
      }
    case .int, .float, .string, .boolean, .null, .enumeration: break
    }
  }

  /// An object in the place of a list is the list of that object.
  private func listedInput(_ type: TypeReference) -> TypeDefinition? {
    var inner = type
    while let element = inner.element { inner = element }
    return schema.type(named: inner.name.text)
  }
}

extension OperationKind {
  var directiveLocation: DirectiveLocation {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }
}

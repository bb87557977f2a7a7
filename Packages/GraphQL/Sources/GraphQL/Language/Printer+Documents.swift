extension GraphQLDocument: CustomStringConvertible {
  /// The canonical text: it reads back as the same document, and prints the same again.
  public var description: String {
    var printer = Printer()
    printer.joined(definitions, "\n\n") { printer, definition in
      switch definition {
      case .operation(let operation): printer.operation(operation)
      case .fragment(let fragment): printer.fragment(fragment)
      case .schema(let schema): printer.schema(schema)
      case .type(let type): printer.type(type)
      case .directive(let directive): printer.directive(directive)
      }
    }
    return printer.text
  }
}

extension ValueLiteral: CustomStringConvertible {
  /// The value as a document writes it.
  public var description: String {
    var printer = Printer()
    printer.value(self)
    return printer.text
  }
}

extension Printer {
  mutating func operation(_ operation: OperationDefinition) {
    let isShort =
      operation.kind == .query && operation.name == nil && operation.variables.isEmpty
      && operation.directives.isEmpty && operation.description == nil
    if !isShort {
      description(operation.description)
      write(operation.kind.rawValue)
      if let name = operation.name { write(" " + name.text) }
      if !operation.variables.isEmpty {
        if operation.name == nil { write(" ") }
        write("(")
        joined(operation.variables, ", ") { $0.variable($1) }
        write(")")
      }
      directives(operation.directives)
      write(" ")
    }
    selectionSet(operation.selectionSet)
  }

  private mutating func variable(_ variable: VariableDefinition) {
    if let description = variable.description {
      string(StringLiteral(description.value))
      write(" ")
    }
    write("$\(variable.name.text): \(variable.type)")
    if let value = variable.defaultValue {
      write(" = ")
      self.value(value)
    }
    directives(variable.directives)
  }

  mutating func fragment(_ fragment: FragmentDefinition) {
    description(fragment.description)
    write("fragment \(fragment.name.text) on \(fragment.typeCondition.text)")
    directives(fragment.directives)
    write(" ")
    selectionSet(fragment.selectionSet)
  }

  private mutating func selectionSet(_ set: SelectionSet) {
    block(set.selections) { $0.selection($1) }
  }

  private mutating func selection(_ selection: Selection) {
    switch selection {
    case .field(let field):
      if let alias = field.alias { write(alias.text + ": ") }
      write(field.name.text)
      arguments(field.arguments)
      directives(field.directives)
      if let set = field.selectionSet {
        write(" ")
        selectionSet(set)
      }
    case .spread(let spread):
      write("..." + spread.name.text)
      directives(spread.directives)
    case .inline(let fragment):
      write("...")
      if let condition = fragment.typeCondition { write(" on " + condition.text) }
      directives(fragment.directives)
      write(" ")
      selectionSet(fragment.selectionSet)
    }
  }
}

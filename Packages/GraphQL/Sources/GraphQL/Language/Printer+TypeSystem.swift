/// Definitions of schemas.
extension Printer {
  mutating func schema(_ schema: SchemaDefinition) {
    description(schema.description)
    write(schema.isExtension ? "extend schema" : "schema")
    directives(schema.directives)
    guard !schema.roots.isEmpty else { return }
    write(" ")
    block(schema.roots) { printer, root in printer.write("\(root.kind.rawValue): \(root.type.text)") }
  }

  mutating func type(_ type: TypeDefinition) {
    description(type.description)
    if type.isExtension { write("extend ") }
    write("\(keyword(type.kind)) \(type.name.text)")
    if !type.interfaces.isEmpty { write(" implements " + type.interfaces.map(\.text).joined(separator: " & ")) }
    directives(type.directives)
    if !type.members.isEmpty { write(" = " + type.members.map(\.text).joined(separator: " | ")) }
    if !type.fields.isEmpty {
      write(" ")
      block(type.fields) { printer, field in
        printer.description(field.description)
        printer.write(field.name.text)
        printer.argumentDefinitions(field.arguments)
        printer.write(": \(field.type)")
        printer.directives(field.directives)
      }
    }
    if !type.values.isEmpty {
      write(" ")
      block(type.values) { printer, value in
        printer.description(value.description)
        printer.write(value.name.text)
        printer.directives(value.directives)
      }
    }
    if !type.inputFields.isEmpty {
      write(" ")
      block(type.inputFields) { printer, field in
        printer.description(field.description)
        printer.inputValue(field)
      }
    }
  }

  mutating func directive(_ directive: DirectiveDefinition) {
    description(directive.description)
    write("directive @\(directive.name.text)")
    argumentDefinitions(directive.arguments)
    if directive.isRepeatable { write(" repeatable") }
    write(" on " + directive.locations.map(\.rawValue).joined(separator: " | "))
  }

  private func keyword(_ kind: TypeKind) -> String {
    switch kind {
    case .scalar: "scalar"
    case .object: "type"
    case .interface: "interface"
    case .union: "union"
    case .enumeration: "enum"
    case .inputObject: "input"
    }
  }

  private mutating func argumentDefinitions(_ arguments: [InputValueDefinition]) {
    guard !arguments.isEmpty else { return }
    if arguments.allSatisfy({ $0.description == nil }) {
      write("(")
      joined(arguments, ", ") { $0.inputValue($1) }
      write(")")
    } else {
      parenthesised(arguments) { printer, argument in
        printer.description(argument.description)
        printer.inputValue(argument)
      }
    }
  }

  private mutating func inputValue(_ value: InputValueDefinition) {
    write("\(value.name.text): \(value.type)")
    if let defaultValue = value.defaultValue {
      write(" = ")
      self.value(defaultValue)
    }
    directives(value.directives)
  }
}

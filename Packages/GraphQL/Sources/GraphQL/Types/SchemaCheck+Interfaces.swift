extension SchemaCheck {
  /// An object or an interface has what its interfaces promise.
  mutating func checkInterfaces(_ type: TypeDefinition) {
    for name in type.interfaces {
      guard let interface = schema.type(named: name.text), interface.kind == .interface else {
        fail("\"\(type.name.text)\" implements \"\(name.text)\", which is not an interface.", name.offset)
        continue
      }
      if name == type.name {
        fail("\"\(name.text)\" cannot implement itself.", name.offset)
        continue
      }
      for inherited in interface.interfaces where !type.interfaces.contains(inherited) {
        fail(
          inherited == type.name
            ? "\"\(type.name.text)\" and \"\(name.text)\" implement each other."
            : "\"\(type.name.text)\" must implement \"\(inherited.text)\", because \"\(name.text)\" does.",
          name.offset)
      }
      for field in interface.fields { check(type, has: field, of: interface) }
    }
  }

  private mutating func check(_ type: TypeDefinition, has promised: FieldDefinition, of interface: TypeDefinition) {
    let place = "\(interface.name.text).\(promised.name.text)"
    guard let field = type.fields.first(where: { $0.name == promised.name }) else {
      return fail("\"\(type.name.text)\" has no field for \"\(place)\".", type.name.offset)
    }
    if !schema.isSubtype(field.type, of: promised.type) {
      fail(
        "\"\(type.name.text).\(field.name.text)\" has type \"\(field.type)\", but \"\(place)\" has \"\(promised.type)\".",
        field.name.offset)
    }
    for argument in promised.arguments {
      guard let own = field.arguments.first(where: { $0.name == argument.name }) else {
        fail(
          "\"\(type.name.text).\(field.name.text)\" has no argument \"\(argument.name.text)\", but \"\(place)\" has.",
          field.name.offset)
        continue
      }
      if own.type != argument.type {
        fail(
          "The argument \"\(argument.name.text)\" of \"\(type.name.text).\(field.name.text)\" has type \"\(own.type)\", but that of \"\(place)\" has \"\(argument.type)\".",
          own.name.offset)
      }
    }
    for argument in field.arguments
    where argument.isRequired && !promised.arguments.contains(where: { $0.name == argument.name }) {
      fail(
        "\"\(type.name.text).\(field.name.text)\" requires the argument \"\(argument.name.text)\", which \"\(place)\" does not have.",
        argument.name.offset)
    }
  }

  /// No input object needs itself: a chain of fields without null that comes back could never be filled.
  mutating func checkInputCycles() {
    var state: [String: Bool] = [:]
    for type in builder.types where type.kind == .inputObject && state[type.name.text] == nil {
      visit(type.name.text, &state, depth: 0)
    }
  }

  /// `state` is false while a type is on the way, true when it is done.
  private mutating func visit(_ name: String, _ state: inout [String: Bool], depth: Int) {
    guard let type = schema.type(named: name), type.kind == .inputObject, depth < 500 else { return }
    state[name] = false
    for field in type.inputFields {
      guard case .nonNull(.named(let next)) = field.type else { continue }
      switch state[next.text] {
      case nil: visit(next.text, &state, depth: depth + 1)
      case false:
        fail("The input \"\(next.text)\" needs itself through \"\(name).\(field.name.text)\".", field.name.offset)
      case true: break
      }
    }
    state[name] = true
  }
}

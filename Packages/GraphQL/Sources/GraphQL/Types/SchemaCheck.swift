/// The rules that definitions of a schema keep.
struct SchemaCheck {
  let schema: GraphQLSchema
  let builder: SchemaBuilder
  private(set) var errors: [GraphQLError] = []

  init(schema: GraphQLSchema, builder: SchemaBuilder) {
    self.schema = schema
    self.builder = builder
  }

  mutating func fail(_ message: String, _ offsets: SourceOffset...) {
    let source = builder.source
    errors.append(GraphQLError(message, locations: source.bytes.isEmpty ? [] : offsets.map(source.location)))
  }

  mutating func run() {
    checkRoots()
    for directive in builder.directives {
      checkName(directive.name, "directive")
      checkUnique(directive.arguments.map(\.name), "argument", of: "@" + directive.name.text)
      for argument in directive.arguments { checkInput(argument, of: "@\(directive.name.text)", .argumentDefinition) }
    }
    for type in builder.types { check(type) }
    checkInputCycles()
  }

  private mutating func checkRoots() {
    if builder.roots[.query] == nil { fail("A schema needs a root type for queries.") }
    var used: [String: OperationKind] = [:]
    for root in builder.schema?.roots ?? [] {
      guard let type = schema.type(named: root.type.text) else {
        fail("Unknown type \"\(root.type.text)\".", root.type.offset)
        continue
      }
      if type.kind != .object { fail("The root type \"\(root.type.text)\" is not an object type.", root.type.offset) }
      if let other = used[root.type.text] {
        fail(
          other == root.kind
            ? "There is more than one \(root.kind.rawValue) type."
            : "\"\(root.type.text)\" is the root of both \(other.rawValue) and \(root.kind.rawValue).",
          root.type.offset)
      }
      used[root.type.text] = root.kind
    }
    if Set((builder.schema?.roots ?? []).map(\.kind)).count < (builder.schema?.roots ?? []).count {
      fail("A kind of operation has more than one root type.", builder.schema?.offset ?? .none)
    }
    if builder.schema == nil {
      for (kind, name) in builder.roots where schema.type(named: name)?.kind != .object {
        fail("The root type \"\(name)\" of \(kind.rawValue) is not an object type.")
      }
    }
    checkDirectives(builder.schema?.directives ?? [], .schema)
  }

  private mutating func check(_ type: TypeDefinition) {
    let name = type.name.text
    checkName(type.name, "type")
    checkUnique(type.fields.map(\.name), "field", of: name)
    checkUnique(type.inputFields.map(\.name), "field", of: name)
    checkUnique(type.values.map(\.name), "value", of: name)
    checkUnique(type.members, "member", of: name)
    checkUnique(type.interfaces, "interface", of: name)
    switch type.kind {
    case .scalar: checkDirectives(type.directives, .scalar)
    case .object:
      checkDirectives(type.directives, .object)
      checkFields(type)
    case .interface:
      checkDirectives(type.directives, .interface)
      checkFields(type)
    case .union:
      checkDirectives(type.directives, .union)
      if type.members.isEmpty { fail("The union \"\(name)\" has no members.", type.offset) }
      for member in type.members where schema.type(named: member.text)?.kind != .object {
        fail("The union \"\(name)\" includes \"\(member.text)\", which is not an object type.", member.offset)
      }
    case .enumeration:
      checkDirectives(type.directives, .enumeration)
      if type.values.isEmpty { fail("The enumeration \"\(name)\" has no values.", type.offset) }
      for value in type.values {
        checkName(value.name, "value")
        checkDirectives(value.directives, .enumValue)
      }
    case .inputObject:
      checkDirectives(type.directives, .inputObject)
      if type.inputFields.isEmpty { fail("The input \"\(name)\" has no fields.", type.offset) }
      for field in type.inputFields {
        checkInput(field, of: name, .inputFieldDefinition)
        if type.isOneOf, field.type.isNonNull || field.defaultValue != nil {
          fail(
            "The field \"\(name).\(field.name.text)\" of a oneOf input must have null and no default.",
            field.name.offset)
        }
      }
    }
  }

  private mutating func checkFields(_ type: TypeDefinition) {
    if type.fields.isEmpty { fail("The type \"\(type.name.text)\" has no fields.", type.offset) }
    for field in type.fields {
      let place = "\(type.name.text).\(field.name.text)"
      checkName(field.name, "field")
      checkDirectives(field.directives, .fieldDefinition)
      if let kind = kind(of: field.type), kind == .inputObject {
        fail("The field \"\(place)\" has the input type \"\(field.type)\".", field.type.name.offset)
      }
      checkUnique(field.arguments.map(\.name), "argument", of: place)
      for argument in field.arguments { checkInput(argument, of: place, .argumentDefinition) }
    }
    checkInterfaces(type)
  }

  /// The kind of the named type inside; reports an unknown name.
  mutating func kind(of type: TypeReference) -> TypeKind? {
    if let kind = schema.type(named: type.name.text)?.kind { return kind }
    fail("Unknown type \"\(type.name.text)\".", type.name.offset)
    return nil
  }

  private mutating func checkInput(_ value: InputValueDefinition, of place: String, _ location: DirectiveLocation) {
    checkName(value.name, location == .argumentDefinition ? "argument" : "field")
    checkDirectives(value.directives, location)
    if let kind = kind(of: value.type), !kind.isInput {
      fail("\"\(place).\(value.name.text)\" has the output type \"\(value.type)\".", value.type.name.offset)
    }
    if value.isRequired, value.directives.first(named: "deprecated") != nil {
      fail("\"\(place).\(value.name.text)\" is required, so it cannot be deprecated.", value.name.offset)
    }
    if let defaultValue = value.defaultValue { checkLiteral(defaultValue, value.type) }
  }

  mutating func checkLiteral(_ value: ValueLiteral, _ type: TypeReference) {
    var check = LiteralCheck(schema: schema, suggests: true)
    check.check(value, type)
    for problem in check.problems { fail(problem.message, problem.offset) }
  }

  private mutating func checkName(_ name: Name, _ what: String) {
    if name.text.hasPrefix("__") {
      fail("The \(what) \"\(name.text)\" begins with two underscores, which introspection has for itself.", name.offset)
    }
    let bytes = Array(name.text.utf8)
    if bytes.first.map(ByteClass.startsName) != true || !bytes.allSatisfy(ByteClass.continuesName) {
      fail("\"\(name.text)\" is not a name: names consist of letters, digits and underscores.", name.offset)
    }
  }

  private mutating func checkUnique(_ names: [Name], _ what: String, of owner: String) {
    guard names.count > 1 else { return }
    var seen: [String: SourceOffset] = [:]
    for name in names {
      if let first = seen[name.text] {
        fail("\"\(owner)\" has more than one \(what) \"\(name.text)\".", first, name.offset)
      }
      seen[name.text] = name.offset
    }
  }
}

/// The schema as objects that queries select from.
enum Introspection {
  static let typeName = FieldDefinition("__typename", "String!")
  static let schemaField = FieldDefinition("__schema", "__Schema!")
  static let typeField = FieldDefinition("__type", "__Type", arguments: [InputValueDefinition("name", "String!")])

  /// The value of `__schema` or `__type`; nil for other fields.
  static func root(_ call: FieldCall, _ schema: GraphQLSchema) -> ResolvedValue? {
    switch call.name {
    case "__schema": return .object(SchemaObject(schema: schema))
    case "__type":
      let name = call.arguments["name"]?.string ?? ""
      return schema.type(named: name).map { .object(TypeObject(schema: schema, definition: $0)) } ?? .null
    default: return nil
    }
  }
}

private func text(_ string: String?) -> ResolvedValue { string.map { .string($0) } ?? .null }

/// `__Schema`.
private struct SchemaObject: GraphQLObject {
  let schema: GraphQLSchema
  var typeName: String { "__Schema" }

  func resolve(_ field: FieldCall) -> ResolvedValue {
    switch field.name {
    case "description": text(schema.schemaDescription?.value)
    case "types": .list(schema.types.map { .object(TypeObject(schema: schema, definition: $0)) })
    case "queryType": root(.query)
    case "mutationType": root(.mutation)
    case "subscriptionType": root(.subscription)
    case "directives": .list(schema.directives.map { .object(DirectiveObject(schema: schema, definition: $0)) })
    default: .null
    }
  }

  private func root(_ kind: OperationKind) -> ResolvedValue {
    schema.rootType(of: kind).map { .object(TypeObject(schema: schema, definition: $0)) } ?? .null
  }
}

/// `__Type` of a named type.
private struct TypeObject: GraphQLObject {
  let schema: GraphQLSchema
  let definition: TypeDefinition
  var typeName: String { "__Type" }

  func resolve(_ field: FieldCall) -> ResolvedValue {
    let kind = definition.kind
    let includesDeprecated = field.arguments["includeDeprecated"]?.bool ?? false
    func isShown(_ directives: [Directive]) -> Bool { includesDeprecated || directives.deprecationReason == nil }
    switch field.name {
    case "kind": return .string(kind.rawValue)
    case "name": return .string(definition.name.text)
    case "description": return text(definition.description?.value)
    case "specifiedByURL":
      guard
        case .string(let url)? = definition.directives.first(named: "specifiedBy")?.arguments.value(named: "url")?.kind
      else { return .null }
      return .string(url.value)
    case "fields" where kind == .object || kind == .interface:
      return .list(
        definition.fields.filter { isShown($0.directives) }.map {
          .object(FieldObject(schema: schema, definition: $0))
        })
    case "interfaces" where kind == .object || kind == .interface:
      return types(definition.interfaces.map(\.text))
    case "possibleTypes" where kind.isAbstract: return types(schema.possibleTypes(of: definition.name.text))
    case "enumValues" where kind == .enumeration:
      return .list(definition.values.filter { isShown($0.directives) }.map { .object(EnumValueObject(definition: $0)) })
    case "inputFields" where kind == .inputObject:
      return .list(
        definition.inputFields.filter { isShown($0.directives) }.map {
          .object(InputValueObject(schema: schema, definition: $0))
        })
    case "isOneOf" where kind == .inputObject: return .bool(definition.isOneOf)
    default: return .null
    }
  }

  private func types(_ names: [String]) -> ResolvedValue {
    .list(names.compactMap(schema.type(named:)).map { .object(TypeObject(schema: schema, definition: $0)) })
  }
}

/// `__Type` of a list or of a type without null.
private struct WrappingTypeObject: GraphQLObject {
  let schema: GraphQLSchema
  let type: TypeReference
  var typeName: String { "__Type" }

  /// The object for a reference.
  static func value(_ type: TypeReference, _ schema: GraphQLSchema) -> ResolvedValue {
    guard case .named(let name) = type else { return .object(Self(schema: schema, type: type)) }
    return schema.type(named: name.text).map { .object(TypeObject(schema: schema, definition: $0)) } ?? .null
  }

  func resolve(_ field: FieldCall) -> ResolvedValue {
    switch (field.name, type) {
    case ("kind", .list): .string("LIST")
    case ("kind", _): .string("NON_NULL")
    case ("ofType", .list(let inner)), ("ofType", .nonNull(let inner)): Self.value(inner, schema)
    default: .null
    }
  }
}

/// `__Field`.
private struct FieldObject: GraphQLObject {
  let schema: GraphQLSchema
  let definition: FieldDefinition
  var typeName: String { "__Field" }

  func resolve(_ field: FieldCall) -> ResolvedValue {
    switch field.name {
    case "name": .string(definition.name.text)
    case "description": text(definition.description?.value)
    case "args": InputValueObject.list(definition.arguments, field, schema)
    case "type": WrappingTypeObject.value(definition.type, schema)
    case "isDeprecated": .bool(definition.directives.deprecationReason != nil)
    case "deprecationReason": text(definition.directives.deprecationReason)
    default: .null
    }
  }
}

/// `__InputValue`.
private struct InputValueObject: GraphQLObject {
  let schema: GraphQLSchema
  let definition: InputValueDefinition
  var typeName: String { "__InputValue" }

  static func list(_ values: [InputValueDefinition], _ field: FieldCall, _ schema: GraphQLSchema) -> ResolvedValue {
    let includesDeprecated = field.arguments["includeDeprecated"]?.bool ?? false
    return .list(
      values.filter { includesDeprecated || $0.directives.deprecationReason == nil }.map {
        .object(Self(schema: schema, definition: $0))
      })
  }

  func resolve(_ field: FieldCall) -> ResolvedValue {
    switch field.name {
    case "name": .string(definition.name.text)
    case "description": text(definition.description?.value)
    case "type": WrappingTypeObject.value(definition.type, schema)
    case "defaultValue": text(definition.defaultValue?.description)
    case "isDeprecated": .bool(definition.directives.deprecationReason != nil)
    case "deprecationReason": text(definition.directives.deprecationReason)
    default: .null
    }
  }
}

/// `__EnumValue`.
private struct EnumValueObject: GraphQLObject {
  let definition: EnumValueDefinition
  var typeName: String { "__EnumValue" }

  func resolve(_ field: FieldCall) -> ResolvedValue {
    switch field.name {
    case "name": .string(definition.name.text)
    case "description": text(definition.description?.value)
    case "isDeprecated": .bool(definition.directives.deprecationReason != nil)
    case "deprecationReason": text(definition.directives.deprecationReason)
    default: .null
    }
  }
}

/// `__Directive`.
private struct DirectiveObject: GraphQLObject {
  let schema: GraphQLSchema
  let definition: DirectiveDefinition
  var typeName: String { "__Directive" }

  func resolve(_ field: FieldCall) -> ResolvedValue {
    switch field.name {
    case "name": .string(definition.name.text)
    case "description": text(definition.description?.value)
    case "isRepeatable": .bool(definition.isRepeatable)
    case "locations": .list(definition.locations.map { .string($0.rawValue) })
    case "args": InputValueObject.list(definition.arguments, field, schema)
    default: .null
    }
  }
}

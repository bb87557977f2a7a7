/// The types of a service, checked: what documents are validated against, and what introspection shows.
///
///     let schema = try GraphQLSchema(parsing: "type Query { hello(name: String = \"world\"): String! }")
///     print(schema)      // the same in canonical form
///
/// A schema is immutable. It is made from text, or from definitions made in code; both are checked by the same rules.
public final class GraphQLSchema: Sendable {
  /// The text before the schema.
  public let schemaDescription: StringLiteral?
  /// The types in their order, those of introspection and the built-in scalars last.
  public let types: [TypeDefinition]
  /// The directives, built-in ones last.
  public let directives: [DirectiveDefinition]
  /// The rules of scalars by name.
  public let scalars: [String: ScalarType]

  private let typeIndex: [String: Int]
  private let fieldIndex: [String: [String: FieldDefinition]]
  private let inputFieldIndex: [String: [String: InputValueDefinition]]
  private let directiveIndex: [String: Int]
  private let possible: [String: [String]]
  private let possibleSets: [String: Set<String>]
  private let roots: [OperationKind: String]

  init(
    description: StringLiteral?, types: [TypeDefinition], directives: [DirectiveDefinition],
    roots: [OperationKind: String], scalars: [String: ScalarType]
  ) {
    schemaDescription = description
    self.types = types
    self.directives = directives
    self.roots = roots
    self.scalars = scalars.merging(
      ["Int": .int, "Float": .float, "String": .string, "Boolean": .boolean, "ID": .id], uniquingKeysWith: { $1 })
    typeIndex = Dictionary(types.enumerated().map { ($1.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    directiveIndex = Dictionary(
      directives.enumerated().map { ($1.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    var fields: [String: [String: FieldDefinition]] = [:]
    var inputFields: [String: [String: InputValueDefinition]] = [:]
    var possible: [String: [String]] = [:]
    for type in types {
      if !type.fields.isEmpty {
        fields[type.name.text] = Dictionary(
          type.fields.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
      }
      if !type.inputFields.isEmpty {
        inputFields[type.name.text] = Dictionary(
          type.inputFields.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
      }
      switch type.kind {
      case .object:
        possible[type.name.text] = [type.name.text]
        for interface in type.interfaces { possible[interface.text, default: []].append(type.name.text) }
      case .union: possible[type.name.text] = type.members.map(\.text)
      case .scalar, .interface, .enumeration, .inputObject: break
      }
    }
    fieldIndex = fields
    inputFieldIndex = inputFields
    self.possible = possible
    possibleSets = possible.mapValues(Set.init)
  }
}

extension GraphQLSchema {
  /// The type of a name.
  public func type(named name: String) -> TypeDefinition? { typeIndex[name].map { types[$0] } }

  /// The root type of a kind of operation; nil when the schema has none.
  public func rootType(of kind: OperationKind) -> TypeDefinition? { roots[kind].flatMap(type(named:)) }

  /// The field of a type, `__typename` included, and `__schema` and `__type` of the query root.
  public func field(_ name: String, of type: String) -> FieldDefinition? {
    if let field = fieldIndex[type]?[name] { return field }
    guard name.utf8.first == UInt8(ascii: "_") else { return nil }
    switch name {
    case "__typename": return Introspection.typeName
    case "__schema": return type == roots[.query] ? Introspection.schemaField : nil
    case "__type": return type == roots[.query] ? Introspection.typeField : nil
    default: return nil
    }
  }

  /// The field of an input object.
  public func inputField(_ name: String, of type: String) -> InputValueDefinition? { inputFieldIndex[type]?[name] }

  /// The directive of a name.
  public func directive(named name: String) -> DirectiveDefinition? { directiveIndex[name].map { directives[$0] } }

  /// The objects that values of a type can be, in the order of the schema: an object is itself.
  public func possibleTypes(of name: String) -> [String] { possible[name] ?? [] }

  /// Whether a value of a type can be a certain object.
  public func isPossible(_ object: String, for type: String) -> Bool {
    object == type || possibleSets[type]?.contains(object) == true
  }

  /// Whether some object is a value of both types.
  func overlap(_ left: String, _ right: String) -> Bool {
    if left == right { return true }
    guard let one = possibleSets[left], let two = possibleSets[right] else { return false }
    return !one.isDisjoint(with: two)
  }

  /// Whether every value of one type is a value of the other.
  func isSubtype(_ type: TypeReference, of other: TypeReference) -> Bool {
    switch (type, other) {
    case (.nonNull(let inner), .nonNull(let outer)): return isSubtype(inner, of: outer)
    case (.nonNull(let inner), _): return isSubtype(inner, of: other)
    case (_, .nonNull): return false
    case (.list(let inner), .list(let outer)): return isSubtype(inner, of: outer)
    case (.list, _), (_, .list): return false
    case (.named(let name), .named(let otherName)):
      if name == otherName || scalars[otherName.text]?.widened.contains(name.text) == true { return true }
      guard let outer = self.type(named: otherName.text), outer.kind.isAbstract,
        let inner = self.type(named: name.text)
      else { return false }
      return outer.members.contains(name) || inner.interfaces.contains(otherName)
    }
  }
}

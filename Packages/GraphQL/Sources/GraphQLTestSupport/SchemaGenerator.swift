import GraphQL
import TestKit

/// Random schemas: objects, interfaces, unions, enumerations, inputs and a custom scalar, all checked.
public struct SchemaGenerator {
  private var random: SeededGenerator
  private var types: [TypeDefinition] = []
  private let objects: [String]
  private let interfaces: [String]
  private let leaves: [String]
  private let inputs: [String]
  private var unions: [String] = []

  /// A generator; equal seeds give equal schemas.
  public init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    objects = (0..<Int.random(in: 2...4, using: &random)).map { "Thing\($0)" }
    interfaces = (0..<Int.random(in: 0...2, using: &random)).map { "Face\($0)" }
    leaves = ["Int", "Float", "String", "Boolean", "ID", "Colour", "Stamp"]
    inputs = ["Filter", "Choice"]
  }

  /// The schema as text.
  public mutating func text() -> String {
    types.append(TypeDefinition(.scalar, "Stamp"))
    types.append(TypeDefinition(.enumeration, "Colour", values: ["RED", "GREEN", "BLUE"].map { .init(Name($0)) }))
    types.append(TypeDefinition(.inputObject, "Filter", inputFields: inputFields(isOneOf: false)))
    types.append(
      TypeDefinition(.inputObject, "Choice", directives: [Directive("oneOf")], inputFields: inputFields(isOneOf: true)))
    if !random.oneIn(3) {
      unions = ["Either"]
      let members = objects.filter { _ in !random.oneIn(3) }
      types.append(
        TypeDefinition(.union, "Either", members: (members.isEmpty ? [objects[0]] : members).map { Name($0) }))
    }
    var promised: [String: [FieldDefinition]] = [:]
    for name in interfaces {
      promised[name] = fields(named: name.lowercased(), count: 1...3)
      types.append(TypeDefinition(.interface, Name(name), fields: promised[name] ?? []))
    }
    for name in objects {
      let implemented = interfaces.filter { _ in random.oneIn(2) }
      let own = fields(named: "f", count: 2...5)
      types.append(
        TypeDefinition(
          .object, Name(name), interfaces: implemented.map { Name($0) },
          fields: implemented.flatMap { promised[$0] ?? [] } + own))
    }
    types.append(TypeDefinition(.object, "Query", fields: fields(named: "q", count: 3...6)))
    types.append(TypeDefinition(.object, "Mutation", fields: fields(named: "m", count: 2...3)))
    types.append(TypeDefinition(.object, "Subscription", fields: fields(named: "s", count: 1...2)))
    types.shuffle(using: &random)
    let roots: [OperationKind: String] = [
      .query: "Query", .mutation: "Mutation", .subscription: "Subscription",
    ]
    do { return try GraphQLSchema(types: types, roots: roots).description } catch { return "# \(error)" }
  }

  private mutating func fields(named prefix: String, count: ClosedRange<Int>) -> [FieldDefinition] {
    (0..<Int.random(in: count, using: &random)).map { number in
      let composites = objects + interfaces + unions
      let name = random.oneIn(2) ? pick(composites) : pick(leaves)
      return FieldDefinition(Name("\(prefix)\(number)"), wrapped(name), arguments: random.oneIn(3) ? arguments() : [])
    }
  }

  private mutating func arguments() -> [InputValueDefinition] {
    (0..<Int.random(in: 1...3, using: &random)).map { number in
      let type = wrapped(random.oneIn(3) ? pick(inputs) : pick(leaves))
      let hasDefault = type == .named("Int") && random.oneIn(2)
      return InputValueDefinition(
        Name("x\(number)"), type, defaultValue: hasDefault ? ValueLiteral(.int("7")) : nil)
    }
  }

  private mutating func inputFields(isOneOf: Bool) -> [InputValueDefinition] {
    (0..<Int.random(in: 2...4, using: &random)).map { number in
      let base = TypeReference.named(Name(pick(leaves)))
      let type = isOneOf ? base : random.oneIn(4) ? .nonNull(base) : random.oneIn(4) ? .list(base) : base
      let hasDefault = !isOneOf && type == .named("String") && random.oneIn(2)
      return InputValueDefinition(
        Name("y\(number)"), type, defaultValue: hasDefault ? ValueLiteral(.string(StringLiteral("d"))) : nil)
    }
  }

  private mutating func wrapped(_ name: String) -> TypeReference {
    var type = TypeReference.named(Name(name))
    if random.oneIn(4) { type = .nonNull(type) }
    if random.oneIn(3) {
      type = .list(type)
      if random.oneIn(6) { type = .list(type) }
      if random.oneIn(4) { type = .nonNull(type) }
    }
    return type
  }

  private mutating func pick(_ names: [String]) -> String { names[Int.random(in: 0..<names.count, using: &random)] }
}

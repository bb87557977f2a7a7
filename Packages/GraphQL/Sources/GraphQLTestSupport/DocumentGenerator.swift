public import ByteCoding
public import GraphQL
import TestKit

/// Random documents for a schema, as tokens: valid ones mostly, and broken ones by changing tokens.
public struct DocumentGenerator {
  private let schema: GraphQLSchema
  private var random: SeededGenerator
  private var fragments: [(name: String, tokens: [String])] = []
  private var variables: [(name: String, type: String)] = []
  private var values: [(key: String, value: JSONValue)] = []
  private var aliasCount = 0
  private let names: [String]

  /// A generator; equal seeds give equal documents.
  public init(schema: GraphQLSchema, seed: UInt64) {
    self.schema = schema
    random = SeededGenerator(seed: seed)
    let own = schema.types.filter { !$0.name.text.hasPrefix("__") }
    names =
      own.map(\.name.text) + own.flatMap { $0.fields.map(\.name.text) }
      + own.flatMap { $0.values.map(\.name.text) } + own.flatMap { $0.inputFields.map(\.name.text) }
      + [
        "x0", "x1", "x2", "v0", "v1", "a0", "a1", "F0", "F1", "on", "if", "skip", "include", "true", "null",
        "__typename",
      ]
  }

  /// One document, and values for its variables.
  ///
  /// - Parameter changes: the number of tokens to change; 0 leaves the document valid in all but rare cases.
  public mutating func document(changes: Int) -> (text: String, variables: JSONValue) {
    fragments = []
    variables = []
    values = []
    aliasCount = 0
    let kind = random.pick([(8, OperationKind.query), (2, .mutation), (1, .subscription)])
    guard let root = schema.rootType(of: kind) else { return ("", .null) }
    let set = selections(root, depth: 0, single: kind == .subscription)
    var tokens: [String] = []
    let isAnonymous = random.oneIn(3)
    if kind != .query || !variables.isEmpty || !isAnonymous {
      tokens.append(kind.rawValue)
      if !isAnonymous { tokens.append("Op") }
      if !variables.isEmpty {
        tokens.append("(")
        for variable in variables { tokens += ["$\(variable.name)", ":", variable.type] }
        tokens.append(")")
      }
    }
    tokens += set
    for fragment in fragments { tokens += fragment.tokens }
    for _ in 0..<changes { change(&tokens) }
    return (tokens.joined(separator: " "), .object(values))
  }

  // MARK: Selections

  private mutating func selections(_ type: TypeDefinition, depth: Int, single: Bool = false) -> [String] {
    var tokens = ["{"]
    for _ in 0..<(single ? 1 : Int.random(in: 1...3, using: &random)) {
      if !single, depth < 4, random.oneIn(5) {
        tokens += fragment(type, depth)
      } else {
        tokens += field(type, depth, allowsConditions: !single)
      }
    }
    return tokens + ["}"]
  }

  private mutating func field(_ type: TypeDefinition, _ depth: Int, allowsConditions: Bool) -> [String] {
    let possible = type.fields.filter { depth < 3 || isLeaf($0.type) }
    guard !possible.isEmpty, !random.oneIn(12) || !allowsConditions else { return ["__typename"] }
    let definition = possible[Int.random(in: 0..<possible.count, using: &random)]
    var tokens: [String] = []
    if !definition.arguments.isEmpty || random.oneIn(6) {
      tokens += ["a\(aliasCount)", ":"]
      aliasCount += 1
    }
    tokens.append(definition.name.text)
    let given = definition.arguments.filter { $0.isRequired || random.oneIn(2) }
    if !given.isEmpty {
      tokens.append("(")
      for argument in given { tokens += [argument.name.text, ":"] + value(argument.type) }
      tokens.append(")")
    }
    if allowsConditions { tokens += condition() }
    if !isLeaf(definition.type), let below = schema.type(named: definition.type.name.text) {
      tokens += selections(below, depth: depth + 1)
    }
    return tokens
  }

  private mutating func fragment(_ type: TypeDefinition, _ depth: Int) -> [String] {
    let possible = schema.possibleTypes(of: type.name.text) + [type.name.text]
    let name = possible[Int.random(in: 0..<possible.count, using: &random)]
    guard let target = schema.type(named: name) else { return ["__typename"] }
    if random.oneIn(2) {
      return ["..."] + (random.oneIn(4) && name == type.name.text ? [] : ["on", name]) + condition()
        + selections(target, depth: depth + 1)
    }
    let fragment = "F\(fragments.count)"
    fragments.append((fragment, []))
    let index = fragments.count - 1
    fragments[index].tokens = ["fragment", fragment, "on", name] + selections(target, depth: depth + 1)
    return ["...", fragment] + condition()
  }

  private mutating func condition() -> [String] {
    guard random.oneIn(8) else { return [] }
    let name = random.oneIn(2) ? "skip" : "include"
    return ["@", name, "(", "if", ":"] + value(.nonNull(.named("Boolean"))) + [")"]
  }

  private func isLeaf(_ type: TypeReference) -> Bool { schema.type(named: type.name.text)?.kind.isLeaf ?? true }

  // MARK: Values

  private mutating func value(_ type: TypeReference) -> [String] {
    guard random.oneIn(4) else { return literal(type) }
    let name = "v\(variables.count)"
    variables.append((name, type.description))
    if type.isNonNull || random.oneIn(2) { values.append((name, json(type))) }
    return ["$\(name)"]
  }

  private mutating func literal(_ type: TypeReference) -> [String] {
    if !type.isNonNull, random.oneIn(8) { return ["null"] }
    if let element = type.element {
      if random.oneIn(5) { return literal(.nonNull(element.nullable)) }
      return ["["] + (0..<Int.random(in: 0...2, using: &random)).flatMap { _ in literal(element) } + ["]"]
    }
    guard let definition = schema.type(named: type.name.text) else { return ["null"] }
    let number = Int.random(in: 0..<100, using: &random)
    switch definition.kind {
    case .enumeration: return [definition.values[number % definition.values.count].name.text]
    case .inputObject:
      let fields = given(definition)
      return ["{"]
        + fields.flatMap {
          [$0.name.text, ":"] + literal(definition.isOneOf ? .nonNull($0.type.nullable) : $0.type)
        } + ["}"]
    case .scalar, .object, .interface, .union:
      switch definition.name.text {
      case "Int": return ["\(number)"]
      case "Float": return [random.oneIn(2) ? "\(number)" : "\(number).5"]
      case "Boolean": return [random.oneIn(2) ? "true" : "false"]
      case "ID": return [random.oneIn(2) ? "\(number)" : "\"i\(number)\""]
      default: return ["\"s\(number)\""]
      }
    }
  }

  private mutating func given(_ type: TypeDefinition) -> [InputValueDefinition] {
    if type.isOneOf { return [type.inputFields[Int.random(in: 0..<type.inputFields.count, using: &random)]] }
    return type.inputFields.filter { $0.isRequired || random.oneIn(2) }
  }

  private mutating func json(_ type: TypeReference) -> JSONValue {
    if !type.isNonNull, random.oneIn(6) { return .null }
    if random.oneIn(25) {
      return [.number("1"), .string("?"), .null, .array([])][Int.random(in: 0..<4, using: &random)]
    }
    if let element = type.element {
      return .array((0..<Int.random(in: 0...2, using: &random)).map { _ in json(element) })
    }
    guard let definition = schema.type(named: type.name.text) else { return .null }
    let number = Int.random(in: 0..<100, using: &random)
    switch definition.kind {
    case .enumeration: return .string(definition.values[number % definition.values.count].name.text)
    case .inputObject:
      return .object(
        given(definition).map {
          ($0.name.text, json(definition.isOneOf ? .nonNull($0.type.nullable) : $0.type))
        })
    case .scalar, .object, .interface, .union:
      switch definition.name.text {
      case "Int": return .number("\(number)")
      case "Float": return .number(random.oneIn(2) ? "\(number)" : "\(number).5")
      case "Boolean": return .bool(random.oneIn(2))
      default: return .string("s\(number)")
      }
    }
  }

  // MARK: Changes

  private mutating func change(_ tokens: inout [String]) {
    guard !tokens.isEmpty else { return }
    let at = Int.random(in: 0..<tokens.count, using: &random)
    let nameAt = tokens.indices.filter { tokens[$0].first.map { $0.isLetter || $0 == "$" || $0 == "_" } ?? false }
      .randomElement(using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: tokens.remove(at: at)
    case 1: tokens.insert(tokens[at], at: at)
    case 2: tokens.swapAt(at, Int.random(in: 0..<tokens.count, using: &random))
    case 3:
      let other = ["1", "1.5", "\"text\"", "null", "[", "]", "{", "}", "$v0", "RED", "@", "!", ":", "..."]
      tokens[at] = other[Int.random(in: 0..<other.count, using: &random)]
    case 4: tokens.insert(contentsOf: ["__typename"], at: at)
    case 5:
      let end = min(tokens.count, at + Int.random(in: 1...8, using: &random))
      tokens.insert(contentsOf: tokens[at..<end], at: at)
    default:
      guard let nameAt else { return }
      let isVariable = tokens[nameAt].hasPrefix("$")
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      tokens[nameAt] = isVariable && random.oneIn(2) ? "$v\(Int.random(in: 0..<3, using: &random))" : name
    }
  }
}

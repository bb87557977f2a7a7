/// Turns selection sets into calls: fragments are followed, `@skip` and `@include` decided, equal keys merged.
final class CallSelection: Sendable {
  let schema: GraphQLSchema
  let source: SourceText
  let fragments: [String: FragmentDefinition]
  let variables: [String: GraphQLValue]

  init(
    schema: GraphQLSchema, source: SourceText, fragments: [String: FragmentDefinition],
    variables: [String: GraphQLValue]
  ) {
    self.schema = schema
    self.source = source
    self.fragments = fragments
    self.variables = variables
  }

  /// The fields of selection sets on an object type, in the order of their first appearance.
  func collect(_ sets: [SelectionSet], on type: String) -> [FieldCall] {
    var groups = FieldGroups()
    var visited: Set<String> = []
    for set in sets { gather(set, type, &groups, &visited) }
    return groups.keys.compactMap { key in
      guard let nodes = groups.nodes[key], let first = nodes.first,
        let definition = schema.field(first.name.text, of: type)
      else { return nil }
      return FieldCall(responseKey: key, parentType: type, definition: definition, nodes: nodes, selection: self)
    }
  }

  private struct FieldGroups {
    var keys: [String] = []
    var nodes: [String: [Field]] = [:]

    mutating func add(_ field: Field) {
      let key = field.responseKey
      if nodes[key]?.append(field) == nil {
        keys.append(key)
        nodes[key] = [field]
      }
    }
  }

  private func gather(
    _ set: SelectionSet, _ type: String, _ groups: inout FieldGroups, _ visited: inout Set<String>
  ) {
    for selection in set.selections where isIncluded(selection.directives) {
      switch selection {
      case .field(let field): groups.add(field)
      case .inline(let fragment):
        if let condition = fragment.typeCondition, !schema.isPossible(type, for: condition.text) { continue }
        gather(fragment.selectionSet, type, &groups, &visited)
      case .spread(let spread):
        guard visited.insert(spread.name.text).inserted, let fragment = fragments[spread.name.text],
          schema.isPossible(type, for: fragment.typeCondition.text)
        else { continue }
        gather(fragment.selectionSet, type, &groups, &visited)
      }
    }
  }

  private func isIncluded(_ directives: [Directive]) -> Bool {
    if directives.isEmpty { return true }
    return condition("skip", directives) != true && condition("include", directives) != false
  }

  private func condition(_ name: String, _ directives: [Directive]) -> Bool? {
    guard let value = directives.first(named: name)?.arguments.value(named: "if") else { return nil }
    return GraphQLValue(value, variables: variables).bool
  }

  /// The coerced arguments of a field.
  func arguments(of definition: FieldDefinition, _ nodes: [Field]) throws(GraphQLError) -> [String: GraphQLValue] {
    guard !definition.arguments.isEmpty, let node = nodes.first else { return [:] }
    var values: [String: GraphQLValue] = [:]
    for argument in definition.arguments {
      let name = argument.name.text
      let literal = node.arguments.value(named: name)
      let isMissing = literal.map { $0.variable.map { variables[$0] == nil } ?? false } ?? true
      if isMissing {
        if let value = schema.defaultValue(of: argument) {
          values[name] = value
        } else if argument.type.isNonNull {
          throw failure("The argument \"\(name)\" of type \"\(argument.type)\" has no value.", literal, node)
        }
      } else if let literal {
        guard let value = schema.coerce(literal, to: argument.type, variables: variables) else {
          throw failure("The argument \"\(name)\" of type \"\(argument.type)\" has an invalid value.", literal, node)
        }
        values[name] = value
      }
    }
    return values
  }

  private func failure(_ message: String, _ literal: ValueLiteral?, _ node: Field) -> GraphQLError {
    GraphQLError(message, locations: [source.location(of: literal?.offset ?? node.offset)])
  }
}

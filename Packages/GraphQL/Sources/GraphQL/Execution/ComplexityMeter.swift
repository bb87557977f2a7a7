/// Adds the costs of an operation up. Each fragment is measured once, so the time is O(document).
struct ComplexityMeter {
  private let document: ValidDocument
  private let schema: GraphQLSchema
  private let variables: [String: GraphQLValue]
  private let limits: GraphQLLimits
  private var fragments: [String: Int] = [:]

  /// The cost of an operation.
  static func cost(
    of operation: OperationDefinition, in document: ValidDocument, _ schema: GraphQLSchema,
    _ variables: [String: GraphQLValue], _ limits: GraphQLLimits
  ) throws(GraphQLRequestError) -> Int {
    guard limits.complexity < .max, let root = schema.rootType(of: operation.kind) else { return 0 }
    var meter = Self(document: document, schema: schema, variables: variables, limits: limits)
    let cost = meter.cost(operation.selectionSet, root.name.text)
    guard cost <= limits.complexity else {
      throw GraphQLRequestError(errors: [
        GraphQLLimits.exceeded(
          "complexity", limits.complexity, "The operation costs \(cost), more than \(limits.complexity).",
          locations: [document.document.source.location(of: operation.offset)])
      ])
    }
    return cost
  }

  private init(
    document: ValidDocument, schema: GraphQLSchema, variables: [String: GraphQLValue], limits: GraphQLLimits
  ) {
    self.document = document
    self.schema = schema
    self.variables = variables
    self.limits = limits
  }

  private mutating func cost(_ set: SelectionSet, _ type: String) -> Int {
    var sum = 0
    for selection in set.selections { sum = Self.add(sum, cost(selection, type)) }
    return sum
  }

  private mutating func cost(_ selection: Selection, _ type: String) -> Int {
    switch selection {
    case .field(let field):
      guard let definition = schema.field(field.name.text, of: type) else { return 0 }
      let below = field.selectionSet.map { cost($0, definition.type.name.text) } ?? 0
      return limits.fieldCost(
        .init(
          parentType: type, definition: definition, arguments: field.arguments, variables: variables,
          selectionCost: below))
    case .inline(let fragment): return cost(fragment.selectionSet, fragment.typeCondition?.text ?? type)
    case .spread(let spread):
      let name = spread.name.text
      if let known = fragments[name] { return known }
      guard let fragment = document.fragments[name] else { return 0 }
      let sum = cost(fragment.selectionSet, fragment.typeCondition.text)
      fragments[name] = sum
      return sum
    }
  }

  private static func add(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(max(right, 0))
    return overflow ? .max : sum
  }
}

import DataModel

/// `@type`, TEXT and GEOWITHIN.
extension Resolver {
  func typeComparison(
    _ node: ComparisonNode, _ left: PlanSide, _ right: PlanSide
  ) throws(QueryError) -> PlanPredicate {
    guard node.operation.isEquality, node.options == [] else {
      throw QueryError(.operatorNotSupported, "'@type' takes ==, != and IN only", at: node.span)
    }
    func fixedType(_ side: PlanSide) -> Bool {
      if case .type(let path) = side.expression { path.type != .mixed } else { false }
    }
    for (one, other) in [(left, right), (right, left)] where fixedType(one) && other.expression.isConstant {
      throw QueryError(.invalidExpression, "the '@type' of a property that is not mixed is a constant", at: node.span)
    }
    let sides = [
      try typeNames(left, node.left, at: node.span), try typeNames(right, node.right, at: node.span),
    ]
    return .comparison(
      PlanComparison(left: sides[0], operation: node.operation, options: [], right: sides[1]))
  }

  /// Constants become bits that stand for kinds of values.
  private func typeNames(
    _ side: PlanSide, _ expression: QueryExpression, at span: SourceSpan
  ) throws(QueryError) -> PlanSide {
    func bits(_ value: Value) throws(QueryError) -> Value {
      guard case .string(let name) = value else {
        throw QueryError(.typeMismatch, "'@type' is compared with a type name in quotes", at: span)
      }
      guard let bits = TypeBits.named(name) else {
        throw QueryError(.argument, "'\(name)' is no type name", at: expression.span)
      }
      return .int(bits)
    }
    var copy = side
    switch side.expression {
    case .type: return side
    case .constant(let value): copy.expression = .constant(try bits(value))
    case .list(let values):
      var converted: [Value] = []
      for value in values { converted.append(try bits(value)) }
      copy.expression = .list(converted)
    case .path, .count, .aggregate, .subquery, .arithmetic:
      throw QueryError(.typeMismatch, "'@type' is compared with a type name in quotes", at: span)
    }
    copy.type = .typeName
    return copy
  }

  mutating func text(_ node: ComparisonNode) throws(QueryError) -> PlanPredicate {
    guard case .property(let property) = node.left, property.suffix == nil else {
      throw QueryError(.operatorNotSupported, "TEXT needs a full-text property on its left", at: node.span)
    }
    let side = try side(node.left)
    guard let path = side.path, case .scalar(let position, .string) = path.leaf, path.steps.isEmpty,
      let declaration = schema.objectSchema(path.target)?.properties[position],
      schema.fullText.contains(PropertyReference(className: path.target, property: declaration.name))
    else {
      throw QueryError(
        .operatorNotSupported, "TEXT needs a full-text property on its left", at: node.span,
        hint: "declare the property as full-text, or use CONTAINS")
    }
    let words = try self.side(node.right)
    guard case .constant(.string(let text)) = words.expression else {
      let isArgument = if case .argument = node.right { true } else { false }
      throw QueryError(isArgument ? .argument : .typeMismatch, "TEXT needs search words in quotes", at: node.right.span)
    }
    switch TextQuery.parse(text) {
    case .success(let query): return .text(path, query, side.quantifier)
    case .failure(let problem): throw QueryError(.argument, problem.reason, at: node.right.span)
    }
  }

  mutating func geoWithin(_ node: GeoWithinNode) throws(QueryError) -> PlanPredicate {
    let side = try side(.property(node.property))
    func refuse(_ reason: String) -> QueryError { QueryError(.operatorNotSupported, reason, at: node.span) }
    guard let path = side.path, path.leaf == .objects, !path.hops.isEmpty,
      let target = schema.objectSchema(path.target)
    else { throw refuse("GEOWITHIN needs embedded objects with 'type' and 'coordinates' on its left") }
    guard target.kind == .embedded else {
      throw refuse(
        "A GEOWITHIN query can only operate on a link to an embedded class but '\(target.className)' is at the top level"
      )
    }
    let shape = try binder.shape(node)
    guard let type = schema.property("type", of: path.target), type.declaration.type == .string,
      type.declaration.collection == .single,
      let coordinates = schema.property("coordinates", of: path.target), coordinates.declaration.type == .double,
      coordinates.declaration.collection == .list
    else {
      throw refuse(
        "Query '\(path.written) GEOWITHIN \(shape)' links to data in the wrong format for a geoWithin query: it needs the "
          + "text 'type' and the list of doubles 'coordinates'")
    }
    switch GeoRegion.make(shape) {
    case .success(let region):
      let reader = GeoReader(type: type.position, coordinates: coordinates.position)
      return .geoWithin(path, reader, region, side.quantifier)
    case .failure(let problem):
      throw QueryError(
        .argument, "Invalid region in GEOWITHIN query for parameter '\(shape)': '\(problem.reason)'", at: node.span)
    }
  }
}

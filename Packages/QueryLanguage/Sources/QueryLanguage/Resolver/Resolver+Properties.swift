import DataModel

/// Sides that begin with a path: properties, counts, types and aggregates.
extension Resolver {
  mutating func propertySide(_ node: PropertyNode) throws(QueryError) -> PlanSide {
    let path = try resolve(node.path)
    var side = PlanSide(expression: .path(path), type: path.type, isList: path.isList, quantifier: node.quantifier)
    switch node.suffix {
    case nil:
      if path.leaf == .incomingLinks {
        throw QueryError(.operatorNotSupported, "'@links' without class and property takes @count only", at: node.span)
      }
    case .count: side = try countSide(path, node)
    case .type:
      side.expression = .type(path)
      side.type = .typeName
    }
    if let quantifier = node.quantifier, !side.isList {
      throw QueryError(
        .operatorNotSupported, "\(quantifier.rawValue) needs a collection; '\(path.written)' is one \(path.type.name)",
        at: node.span)
    }
    return side
  }

  private func countSide(_ path: ResolvedPath, _ node: PropertyNode) throws(QueryError) -> PlanSide {
    var side = PlanSide(expression: .count(path), type: .int, isList: path.isList, quantifier: node.quantifier)
    if path.steps.isEmpty, !path.takesLength {
      switch path.leaf {
      case .objects:
        side.isList = false
        return side
      case .incomingLinks:
        side.isList = path.isToMany
        return side
      case .collection where path.leafIsList:
        side.isList = path.isToMany
        return side
      case .collection, .scalar: break
      }
    }
    switch path.type {
    case .string, .data, .mixed: return side
    case .bool, .int, .float, .double, .decimal, .date, .objectId, .uuid, .link, .typeName:
      throw QueryError(
        .operatorNotSupported, "'@count' is not defined for '\(path.written)', a \(path.type.name)", at: node.span,
        hint: "it takes collections, links, strings and binaries")
    }
  }

  mutating func aggregateSide(_ node: AggregateNode) throws(QueryError) -> PlanSide {
    let path = try resolve(node.path)
    func refuse(_ reason: String) -> QueryError {
      QueryError(.operatorNotSupported, "'\(node.operation.rawValue)' \(reason)", at: node.span)
    }
    if path.leaf == .incomingLinks { throw refuse("is not defined on '@links' without class and property") }
    var type = path.type
    var property: Int?
    if let name = node.property {
      guard path.leaf == .objects, path.isToMany else {
        throw refuse("takes no property behind '\(path.written)', which is no collection of objects")
      }
      let found = try lookUp(name, of: path.target, at: node.span)
      guard found.declaration.collection == .single, found.declaration.type != .linkingObjects else {
        throw refuse("is not defined for the collection '\(name)'")
      }
      property = found.position
      type = ValueType(found.declaration)
      properties.insert(PropertyReference(className: path.target, property: found.declaration.name))
      classesReached.insert(path.target)
    } else {
      guard path.leaf != .objects else {
        throw refuse("needs a property: \(path.written).\(node.operation.rawValue).name")
      }
      guard path.endsInCollection else {
        throw QueryError(
          .operatorNotSupported,
          "Invalid keypath '\(path.written).\(node.operation.rawValue)': Property '\(path.leafName)' is not a link or collection and can only appear at the end of a keypath",
          at: node.span)
      }
    }
    let isTotal = node.operation == .sum || node.operation == .average
    let isAllowed = type.isNumeric || type == .mixed || type == .date && !isTotal
    guard isAllowed else { throw refuse("is not defined for values of type \(type.name)") }
    if node.operation == .average { type = type == .decimal ? .decimal : type == .mixed ? .mixed : .double }
    let expression = PlanExpression.aggregate(path, node.operation, property: property)
    return PlanSide(expression: expression, type: type, isList: property == nil && path.isToMany)
  }
}

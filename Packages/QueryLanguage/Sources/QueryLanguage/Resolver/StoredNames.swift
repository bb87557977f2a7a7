import DataModel

extension QueryPlan {
  /// The query with the stored names of properties in the place of those in code, and `@links` for linking objects: as
  /// somebody reads it who has the stored schema alone.
  ///
  ///     // class Person stores `age` as "person age"
  ///     plan.storedQuery.description      // "person age" > 18
  ///
  /// - Complexity: O(*n*) in the nodes of the query.
  public var storedQuery: ParsedQuery {
    let names = StoredNames(schema: schema)
    return ParsedQuery(
      names.predicate(query.predicate, of: className), clauses: query.clauses.map { names.clause($0, of: className) })
  }
}

/// Rewrites the trees of a query whose names were looked up before.
struct StoredNames {
  let schema: QuerySchema
  private var variables: [String] = []

  init(schema: QuerySchema) { self.schema = schema }

  func predicate(_ predicate: QueryPredicate, of className: String) -> QueryPredicate {
    switch predicate {
    case .always: return predicate
    case .not(let inner): return .not(self.predicate(inner, of: className))
    case .and(let parts): return .and(parts.map { self.predicate($0, of: className) })
    case .or(let parts): return .or(parts.map { self.predicate($0, of: className) })
    case .comparison(var node):
      node.left = expression(node.left, of: className)
      node.right = expression(node.right, of: className)
      return .comparison(node)
    case .between(var node):
      node.value = expression(node.value, of: className)
      node.bounds = expression(node.bounds, of: className)
      return .between(node)
    case .geoWithin(var node):
      node.property.path = path(node.property.path, of: className).path
      return .geoWithin(node)
    }
  }

  func clause(_ clause: QueryClause, of className: String) -> QueryClause {
    switch clause {
    case .limit: clause
    case .sort(let keys):
      .sort(keys.map { SortKey(path($0.path, of: className).path, ascending: $0.isAscending) })
    case .distinct(let paths): .distinct(paths.map { path($0, of: className).path })
    case .include(let paths): .include(paths.map { path($0, of: className).path })
    }
  }

  private func expression(_ expression: QueryExpression, of className: String) -> QueryExpression {
    switch expression {
    case .constant, .argument, .list: return expression
    case .property(var node):
      node.path = path(node.path, of: className).path
      return .property(node)
    case .aggregate(var node):
      let (renamed, target) = path(node.path, of: className)
      node.path = renamed
      node.property = node.property.map { schema.property($0, of: target)?.declaration.columnName ?? $0 }
      return .aggregate(node)
    case .subquery(var node):
      let (renamed, target) = path(node.path, of: className)
      node.path = renamed
      var inner = self
      inner.variables.append(node.variable)
      node.predicate = inner.predicate(node.predicate, of: target)
      return .subquery(node)
    case .arithmetic(var node):
      node.left = self.expression(node.left, of: className)
      node.right = self.expression(node.right, of: className)
      return .arithmetic(node)
    }
  }

  /// A path with stored names, and the class of the objects that it leads to; empty behind values.
  private func path(_ path: QueryPath, of className: String) -> (path: QueryPath, target: String) {
    var target = className
    var isKey = false
    var elements: [QueryPath.Element] = []
    for (position, element) in path.elements.enumerated() {
      var renamed = element
      switch element.step {
      case .name(let name):
        let isVariable = position == 0 && path.elements.count > 1 && variables.contains(name)
        if isVariable || (isKey && schema.property(name, of: target) == nil) { break }
        guard let property = schema.property(name, of: target)?.declaration else { break }
        renamed.step = step(to: property)
        target = property.objectClassName ?? ""
        isKey = property.collection == .dictionary
        elements.append(renamed)
        continue
      case .backlinks(let origin, let property):
        let stored = schema.property(property, of: origin)?.declaration.columnName ?? property
        renamed.step = .backlinks(className: origin, property: stored)
        target = origin
      case .allBacklinks, .index, .last, .all, .key, .argument, .keys, .values, .keyPathArgument: break
      }
      isKey = false
      elements.append(renamed)
    }
    return (QueryPath(elements, span: path.span), target)
  }

  private func step(to property: Property) -> QueryPath.Step {
    guard property.type == .linkingObjects, let origin = property.objectClassName,
      let name = property.originPropertyName
    else { return .name(property.columnName) }
    let stored = schema.property(name, of: origin)?.declaration.columnName ?? name
    return .backlinks(className: origin, property: stored)
  }
}

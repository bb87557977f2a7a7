import DataModel

extension ParsedQuery {
  /// The query with literals in the place of its arguments.
  ///
  ///     try ParsedQuery(parsing: "age > $0").bound(to: [18]).description      // age > 18
  ///
  /// - Throws: ``QueryError`` of category `argument` when one is missing or cannot stand where it is used.
  public func bound(to arguments: [QueryArgument]) throws(QueryError) -> ParsedQuery {
    let binder = ArgumentBinder(arguments: arguments)
    var bound: [QueryClause] = []
    for clause in clauses { bound.append(try binder.clause(clause)) }
    return ParsedQuery(try binder.predicate(predicate), clauses: bound)
  }
}

/// Whole trees.
extension ArgumentBinder {
  func predicate(_ predicate: QueryPredicate) throws(QueryError) -> QueryPredicate {
    switch predicate {
    case .always: return predicate
    case .not(let inner): return .not(try self.predicate(inner))
    case .and(let parts): return .and(try each(parts))
    case .or(let parts): return .or(try each(parts))
    case .comparison(var node):
      node.left = try expression(node.left)
      if node.operation == .in, case .argument(let argument) = node.right,
        case .property(let property) = node.left, case .shape = try self.argument(argument.index, at: argument.span)
      {
        return try self.predicate(.geoWithin(GeoWithinNode(property, .argument(argument.index), span: node.span)))
      }
      node.right = try expression(node.right)
      return .comparison(node)
    case .between(var node):
      node.value = try expression(node.value)
      node.bounds = try expression(node.bounds)
      return .between(node)
    case .geoWithin(var node):
      node.shape = .literal(try shape(node))
      node.property.path = try path(node.property.path)
      return .geoWithin(node)
    }
  }

  private func each(_ parts: [QueryPredicate]) throws(QueryError) -> [QueryPredicate] {
    var bound: [QueryPredicate] = []
    bound.reserveCapacity(parts.count)
    for part in parts { bound.append(try predicate(part)) }
    return bound
  }

  func expression(_ expression: QueryExpression) throws(QueryError) -> QueryExpression {
    switch expression {
    case .constant(let constant, let span): return .constant(try self.constant(constant, at: span), span: span)
    case .argument(let node):
      switch try argument(node.index, at: node.span) {
      case .list(let values), .value(.list(let values)):
        return .list(
          ListNode(try list(values, node.index, at: node.span), quantifier: node.quantifier, span: node.span))
      case .value(let value):
        guard node.quantifier == nil else {
          throw QueryError(.argument, "argument $\(node.index) has to be a list behind a quantifier", at: node.span)
        }
        guard let constant = QueryConstant(value) else { break }
        return .constant(constant, span: node.span)
      case .shape: break
      }
      throw QueryError(.argument, "argument $\(node.index) has to be a value or a list of values", at: node.span)
    case .list(var node):
      var elements: [ListNode.Element] = []
      elements.reserveCapacity(node.elements.count)
      for element in node.elements {
        switch element {
        case .constant(let constant): elements.append(.constant(try self.constant(constant, at: node.span)))
        case .argument(let index): elements.append(.constant(try value(index, at: node.span)))
        }
      }
      node.elements = elements
      return .list(node)
    case .property(var node):
      node.path = try path(node.path)
      return .property(node)
    case .aggregate(var node):
      node.path = try path(node.path)
      return .aggregate(node)
    case .subquery(var node):
      node.path = try path(node.path)
      node.predicate = try predicate(node.predicate)
      return .subquery(node)
    case .arithmetic(var node):
      node.left = try self.expression(node.left)
      node.right = try self.expression(node.right)
      return .arithmetic(node)
    }
  }

  private func list(
    _ values: [Value], _ index: Int, at span: SourceSpan
  ) throws(QueryError) -> [ListNode.Element] {
    var elements: [ListNode.Element] = []
    elements.reserveCapacity(values.count)
    for value in values {
      guard let constant = QueryConstant(value) else {
        throw QueryError(.argument, "the list of argument $\(index) holds a collection", at: span)
      }
      elements.append(.constant(constant))
    }
    return elements
  }

  func clause(_ clause: QueryClause) throws(QueryError) -> QueryClause {
    switch clause {
    case .limit: return clause
    case .sort(let keys):
      var bound: [SortKey] = []
      for key in keys { bound.append(SortKey(try path(key.path), ascending: key.isAscending)) }
      return .sort(bound)
    case .distinct(let paths): return .distinct(try each(paths))
    case .include(let paths): return .include(try each(paths))
    }
  }

  private func each(_ paths: [QueryPath]) throws(QueryError) -> [QueryPath] {
    var bound: [QueryPath] = []
    for path in paths { bound.append(try self.path(path)) }
    return bound
  }
}

import DataModel

/// SORT, DISTINCT, LIMIT and INCLUDE.
extension Resolver {
  mutating func clauses(_ clauses: [QueryClause]) throws(QueryError) -> ([QueryPlan.Stage], [ResolvedPath]) {
    var stages: [QueryPlan.Stage] = []
    var includes: [ResolvedPath] = []
    var lastWasSort = false
    for clause in clauses {
      var isSort = false
      switch clause {
      case .limit(let count): stages.append(.limit(count))
      case .sort(let keys):
        var resolved: [ResolvedSortKey] = []
        for key in keys {
          resolved.append(ResolvedSortKey(path: try orderingPath(key.path, "SORT"), isAscending: key.isAscending))
        }
        // Of two sorts side by side the later one decides first.
        if lastWasSort, case .sort(let earlier)? = stages.last {
          stages[stages.count - 1] = .sort(resolved + earlier)
        } else {
          stages.append(.sort(resolved))
        }
        isSort = true
      case .distinct(let paths):
        var resolved: [ResolvedPath] = []
        for path in paths { resolved.append(try orderingPath(path, "DISTINCT")) }
        stages.append(.distinct(resolved))
      case .include(let paths):
        for path in paths { includes.append(try includePath(path)) }
      }
      lastWasSort = isSort
    }
    return (stages, includes)
  }

  /// A path of single links to one value.
  private mutating func orderingPath(_ path: QueryPath, _ clause: String) throws(QueryError) -> ResolvedPath {
    let resolved = try resolve(path)
    guard !resolved.isList, resolved.leaf != .incomingLinks, resolved.leaf != .objects || !resolved.hops.isEmpty else {
      throw QueryError(
        .operatorNotSupported, "\(clause) is not defined for the collection '\(resolved.written)'", at: path.span,
        hint: "it takes single links and then one value")
    }
    if resolved.leaf == .objects, clause == "SORT" {
      throw QueryError(
        .operatorNotSupported, "SORT is not defined for the link '\(resolved.written)'", at: path.span,
        hint: "sort by a property of \(resolved.target)")
    }
    return resolved
  }

  /// A path of links that ends in a backlink.
  private mutating func includePath(_ path: QueryPath) throws(QueryError) -> ResolvedPath {
    let resolved = try resolve(path)
    guard resolved.leaf == .objects, case .backlinks? = resolved.hops.last else {
      throw QueryError(
        .invalidExpression, "the path '\(resolved.written)' of INCLUDE does not end in a backlink", at: path.span,
        hint: "write INCLUDE(@links.Class.property)")
    }
    return resolved
  }
}

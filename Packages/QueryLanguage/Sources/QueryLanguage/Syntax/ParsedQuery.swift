/// A query as written: a predicate and the clauses after it. Knows no schema.
///
///     var query = try ParsedQuery(parsing: "age > $0 AND name BEGINSWITH 'A'")
///     query = query.sorted(by: "age", ascending: false).limited(to: 3)
///     query.description      // age > $0 and name BEGINSWITH "A" SORT(age DESC) LIMIT(3)
///
/// Made ready to run by ``QueryPlan``.
public struct ParsedQuery: Hashable, Sendable {
  /// The condition on each object.
  public var predicate: QueryPredicate
  /// The clauses in the order written.
  public var clauses: [QueryClause]
  /// The text that the query was read from, for diagnostics; does not take part in equality.
  public var source = SourceText()

  /// A query made in code; without a predicate it matches every object.
  public init(_ predicate: QueryPredicate = .always(true), clauses: [QueryClause] = []) {
    self.predicate = predicate
    self.clauses = clauses
  }

  /// The query with a SORT clause by one key path added behind the others. A sort directly behind a sort takes
  /// precedence over it.
  public func sorted(by keyPath: String, ascending: Bool = true) -> ParsedQuery {
    sorted(by: [SortKey(QueryPath(names: keyPath), ascending: ascending)])
  }

  /// The query with a SORT clause added behind the others.
  public func sorted(by keys: [SortKey]) -> ParsedQuery { adding(.sort(keys)) }

  /// The query with a DISTINCT clause added behind the others.
  public func distinct(by keyPaths: [String]) -> ParsedQuery {
    adding(.distinct(keyPaths.map { QueryPath(names: $0) }))
  }

  /// The query with a LIMIT clause added behind the others.
  public func limited(to count: Int) -> ParsedQuery { adding(.limit(count)) }

  private func adding(_ clause: QueryClause) -> ParsedQuery {
    var copy = self
    copy.clauses.append(clause)
    return copy
  }
}

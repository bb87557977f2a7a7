import DataModel
import QueryLanguage

/// A query whose outcome is the same in every file with the same objects: where it cuts off or drops duplicates, matches
/// are taken in the order of their keys and not of their rows.
///
/// Equal objects of a SORT are in the order of their keys, too.
package struct KeyOrderedQuery: Sendable {
  /// The query with its clauses.
  package let plan: QueryPlan
  /// The condition alone; nil when the order of rows plays no part.
  private let condition: QueryPlan?

  /// - Throws: `QueryError` as `QueryPlan`.
  package init(
    _ query: ParsedQuery, className: String, schema: QuerySchema, arguments: [QueryArgument] = []
  ) throws(QueryError) {
    plan = try QueryPlan(query, className: className, schema: schema, arguments: arguments)
    guard plan.hasOrderingClauses else {
      condition = nil
      return
    }
    var bare = query
    bare.clauses = []
    condition = try QueryPlan(bare, className: className, schema: schema, arguments: arguments)
  }

  /// The rows that are selected, in the order of the clauses; without any, ascending.
  ///
  /// - Parameter isEligible: whether a match of the condition counts, asked before LIMIT and DISTINCT.
  /// - Throws: the errors of the source.
  /// - Complexity: that of the plan; with clauses O(*m* log *m*) more for *m* matches of the condition.
  package func rows(
    in source: some QuerySource, where isEligible: (QueryRow) throws -> Bool = { _ in true }
  ) throws -> [QueryRow] {
    guard let condition, let table = try source.table(plan.className) else {
      return try plan.rows(in: source).filter(isEligible)
    }
    var matches: [(key: ObjectKey, row: QueryRow)] = []
    for row in try condition.rows(in: source) where try isEligible(row) {
      if let key = try table.objectKey(of: row) { matches.append((key, row)) }
    }
    matches.sort { $0.key.precedes($1.key) }
    return try plan.rows(in: source, among: matches.map(\.row))
  }
}

extension ObjectKey {
  /// Whether this key comes before another one of the same class.
  func precedes(_ other: ObjectKey) -> Bool {
    func place(_ key: ObjectKey) -> Value { .link(ObjectReference(className: "", key: key)) }
    return place(self).compareInSortOrder(place(other)) < 0
  }
}

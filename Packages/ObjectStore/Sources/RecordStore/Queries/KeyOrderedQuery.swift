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
  /// Nothing yet, for a query whose first objects can be kept up to date.
  private let emptyWindow: OrderedWindow?

  /// - Throws: `QueryError` as `QueryPlan`.
  package init(
    _ query: ParsedQuery, className: String, schema: QuerySchema, arguments: [QueryArgument] = []
  ) throws(QueryError) {
    plan = try QueryPlan(query, className: className, schema: schema, arguments: arguments)
    guard plan.hasOrderingClauses else {
      condition = nil
      emptyWindow = nil
      return
    }
    emptyWindow = plan.window.flatMap { OrderedWindow($0) }
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
    if let window = try window(in: source, where: isEligible) {
      return try window.selected.compactMap { try table.row(forKey: $0) }
    }
    var matches: [(key: ObjectKey, row: QueryRow)] = []
    for row in try condition.rows(in: source) where try isEligible(row) {
      if let key = try table.objectKey(of: row) { matches.append((key, row)) }
    }
    matches.sort { $0.key.precedes($1.key) }
    return try plan.rows(in: source, among: matches.map(\.row))
  }
}

extension KeyOrderedQuery {
  /// Whether the first objects of the query can be kept up to date by themselves.
  package var hasWindow: Bool { emptyWindow != nil }

  /// The first objects of a query, to be kept up to date; nil for a query whose clauses are others than SORT and LIMIT by the
  /// objects' own values.
  ///
  /// - Parameter isEligible: as in ``rows(in:where:)``.
  /// - Complexity: that of the condition, and O(*m* log *k*) for *m* matches of which *k* are kept.
  package func window(
    in source: some QuerySource, where isEligible: (QueryRow) throws -> Bool = { _ in true }
  ) throws -> OrderedWindow? {
    guard let condition, var window = emptyWindow, let order = plan.window else { return nil }
    guard let table = try source.table(plan.className) else { return window }
    let rank = order.ranking(in: source)
    for row in try condition.rows(in: source) where try isEligible(row) {
      if let key = try table.objectKey(of: row) { window.insert(key, try rank(row)) }
    }
    return window
  }

  /// Brings a window up to date with one object.
  ///
  /// - Parameters:
  ///   - key: the object, whatever happened to it.
  ///   - row: where it is now; nil when it does not exist, or does not count.
  /// - Returns: whether the objects that the query gives are others now.
  package func update(
    _ window: inout OrderedWindow, _ key: ObjectKey, at row: QueryRow?, in source: some QuerySource
  ) throws -> Bool {
    let left = window.remove(key)
    guard let row, let order = plan.window, try plan.matches(row, in: source) else { return left }
    return window.insert(key, try order.ranking(in: source)(row)) || left
  }
}

extension ObjectKey {
  /// Whether this key comes before another one of the same class.
  func precedes(_ other: ObjectKey) -> Bool {
    func place(_ key: ObjectKey) -> Value { .link(ObjectReference(className: "", key: key)) }
    return place(self).compareInSortOrder(place(other)) < 0
  }
}

import DataModel

extension QueryPlan {
  /// The rows of a query that bounds the primary key, sorts by it and takes the first ones, read from the index of the key in its
  /// order: rows before the bound and behind the last one cost nothing. Row by row the whole predicate decides.
  ///
  /// - Returns: nil for other queries, for a source without such an index, and when so many rows fail the predicate that a scan
  ///   of columns is cheaper.
  /// - Complexity: O(log *n* + *v*) for *v* rows that are visited, at most 16 for each that is wanted and 1,024.
  func soughtRows(_ execution: Execution, _ table: any QueryTable) throws -> [QueryRow]? {
    guard stages.count == 2, case .sort(let keys) = stages[0], keys.count == 1, let key = keys.first,
      case .limit(let limit) = stages[1], limit > 0, limit <= 65_536, key.path.hops.isEmpty, key.path.steps.isEmpty,
      !key.path.takesLength, case .scalar(let property, _) = key.path.leaf,
      table.schema.properties[property].name == table.schema.primaryKey,
      let range = keyRange(property, table.schema), let index = try table.index(over: property)
    else { return nil }
    let evaluator = RowEvaluator(execution: execution)
    let most = limit * 16 + 1_024
    var rows: [QueryRow] = []
    var visited = 0
    let isOrdered = try index.forEach(from: range.lower, through: range.upper, isAscending: key.isAscending) { row in
      visited += 1
      guard visited <= most else { return false }
      if try evaluator.holds(predicate, className, row) { rows.append(row) }
      return rows.count < limit
    }
    return isOrdered && visited <= most ? rows : nil
  }

  /// The bounds that the predicate sets to a property, as far as its conjuncts do; nil for none, since null is in no range.
  private func keyRange(
    _ property: Int, _ schema: ObjectSchema
  ) -> (lower: IndexProbe.Bound?, upper: IndexProbe.Bound?)? {
    let parts: [PlanPredicate] = if case .and(let parts) = predicate { parts } else { [predicate] }
    for part in parts {
      guard case .column(let condition) = part, condition.property == property, !condition.isNegated,
        !condition.matchesNull
      else { continue }
      if case .bytes(let test) = condition.test {
        guard !test.folds, test.isText, let text = String(validating: test.needle, as: UTF8.self) else { continue }
        let (value, operation) = (Value.string(text), test.operation)
        switch operation {
        case .greater, .greaterOrEqual: return (.init(value, isInclusive: operation == .greaterOrEqual), nil)
        case .less, .lessOrEqual: return (nil, .init(value, isInclusive: operation == .lessOrEqual))
        case .equal, .beginsWith, .endsWith, .contains, .like: continue
        }
      }
      if case .range(let lower, let upper)? = IndexChooser.probes(condition, schema)?.list.first {
        return (lower, upper)
      }
    }
    return nil
  }
}

import DataModel
import QueryLanguage
import RecordStore

extension ResultsSource {
  /// The elements for which a condition holds.
  func filtered(_ predicate: QueryPredicate) -> ResultsSource {
    guard elementAccess == nil else { return adding(.query(ParsedQuery(predicate))) }
    return adding(.filterValues(valueFilter(ParsedQuery(predicate))))
  }

  /// A condition on plain values. One that does not apply to them stops the program.
  func valueFilter(_ query: ParsedQuery) -> ValueFilter {
    rule(query.clauses.isEmpty, "Clauses like SORT are for objects; sort the values with sorted().")
    var type = PropertyType.any
    var isOptional = true
    if case .collection(let accessor, nil) = base, !accessor.isNested {
      (type, isOptional) = (accessor.field.type, accessor.field.isNullable)
    }
    do {
      return try ValueFilter(
        query.predicate, type: type, isOptional: isOptional, schema: view.querySchema, dialect: .nspredicate)
    } catch { violated("Invalid query on a collection of values: \(error)") }
  }
}

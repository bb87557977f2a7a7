import DataModel
import QueryLanguage
import RecordStore

extension ResultsSource {
  /// The elements for which a condition holds, with what its clauses make of them. A condition that does not apply to
  /// the elements stops the program.
  ///
  /// - Complexity: O(*m*) in the parts of the condition; the elements are found when they are needed.
  func filtered(_ query: ParsedQuery) -> ResultsSource {
    guard elementAccess != nil else { return adding(.filterValues(valueFilter(query))) }
    let filtered = adding(.query(query))
    view.checkConfinement()
    _ = try? filtered.queryPlans()
    return filtered
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

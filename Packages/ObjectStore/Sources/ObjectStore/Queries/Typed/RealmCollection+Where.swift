import QueryLanguage
import RecordStore

extension RealmCollection {
  /// The elements for which a condition holds. The compiler checks names and types; an unmanaged collection stops the
  /// program.
  ///
  ///     people.where { $0.age > 18 && $0.name.starts(with: "A") }
  ///
  /// - SeeAlso: ``Query``
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    Results(managedSource("filtered").filtered(ParsedQuery(isIncluded(Query<Element>()).predicate)))
  }

  /// The position of the first element for which a condition holds; nil when there is none. O(*n*).
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    index(matching: ParsedQuery(isIncluded(Query<Element>()).predicate))
  }
}

extension Map {
  /// The values for which a condition holds. The compiler checks names and types; an unmanaged map stops the program.
  ///
  /// - SeeAlso: ``Query``
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    guard let source = _source else {
      violated("This method may only be called on Map instances retrieved from a Realm.")
    }
    return Results(source.filtered(ParsedQuery(isIncluded(Query<Value>()).predicate)))
  }
}

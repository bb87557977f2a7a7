import DataModel
import QueryLanguage
import StorageEngine

extension RealmCollection {
  /// The elements for which a condition holds, checked by the compiler.
  ///
  ///     people.where { $0.age > 18 && $0.name.starts(with: "A") }
  ///
  /// - SeeAlso: ``Query``
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    Results(managedSource("filtered").filtered(isIncluded(Query<Element>()).predicate))
  }

  /// The position of the first element for which a condition holds.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    index(matching: ParsedQuery(isIncluded(Query<Element>()).predicate))
  }
}

extension ResultsSource {
  /// The elements for which a condition holds.
  func filtered(_ predicate: QueryPredicate) -> ResultsSource {
    guard elementAccess == nil else { return adding(.query(ParsedQuery(predicate))) }
    return adding(.filterValues(valueFilter(ParsedQuery(predicate))))
  }

  /// A condition on plain values.
  func valueFilter(_ query: ParsedQuery) -> ValueFilter {
    rule(query.clauses.isEmpty, "Clauses like SORT are for objects; sort the values with sorted().")
    var type = PropertyType.any
    var isOptional = true
    if case .collection(let place, nil) = base, !place.isNested {
      (type, isOptional) = (place.field.type, place.field.isNullable)
    }
    do {
      return try ValueFilter(query.predicate, type: type, isOptional: isOptional, schema: view.querySchema)
    } catch { violated("Invalid query on a collection of values: \(error)") }
  }
}

// MARK: Key paths

/// Marks elements that can be ordered by key paths: objects and projections.
public protocol KeypathSortable: RealmCollectionValue {}
extension ObjectBase: KeypathSortable {}
extension Projection: KeypathSortable {}

extension RealmCollection where Element: KeypathSortable {
  /// The elements in the order of a property, which may lie behind links: `\.owner?.name`.
  public func sorted<T: _HasPersistedType>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element>
  where T.PersistedType: SortableType {
    sorted(byKeyPath: KeyPathTracer.name(keyPath), ascending: ascending)
  }

  /// The first element of each group with equal properties, in the present order.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
  where S.Iterator.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { KeyPathTracer.name($0) } as [String])
  }

  /// The least value of a property; nil when there is none. Nils are skipped.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The greatest value of a property; nil when there is none. Nils are skipped.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The sum of a property; 0 for nothing. Nils are skipped.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T where T.PersistedType: AddableType {
    sum(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The mean of a property; nil when there is no value. Nils are skipped and not counted.
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: AddableType {
    average(ofProperty: KeyPathTracer.name(keyPath))
  }
}

extension SortDescriptor {
  /// A key to sort by, as a key path of the model.
  public init<Element: KeypathSortable>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
    self.init(keyPath: KeyPathTracer.name(keyPath), ascending: ascending)
  }
}

extension Map {
  /// The values for which a condition holds, checked by the compiler.
  ///
  /// - SeeAlso: ``Query``
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    guard let source = _source else {
      violated("This method may only be called on Map instances retrieved from a Realm.")
    }
    return Results(source.filtered(isIncluded(Query<Value>()).predicate))
  }
}

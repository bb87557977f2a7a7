import DataModel
public import Foundation
import QueryLanguage
import RecordStore

/// A condition that is a value: text and arguments, in the place of `NSPredicate`, which on Linux cannot be made from
/// text.
///
///     let adults = RealmPredicate(format: "age >= %@ AND name BEGINSWITH %@", 18, "A")
///     realm.objects(Person.self).filter(adults)
///
/// Two are equal when they ask the same. Text that is no condition stops the program.
public struct RealmPredicate: Equatable, CustomStringConvertible {
  let query: ParsedQuery

  /// The condition of a text with its arguments, each of which stands where the text has `%@`, `%K`, `%d` or `$0`.
  public init(format: String, _ args: Any...) { self.init(format: format, argumentArray: args) }

  /// The condition of a text with its arguments.
  public init(format: String, argumentArray: [Any]?) { query = parsed(format, argumentArray ?? []) }

  /// The condition that always holds, or never.
  public init(value: Bool) { query = ParsedQuery(.always(value)) }

  /// The condition of Foundation's type, which on Linux can be asked for nothing but `NSPredicate(value:)`.
  init(_ predicate: NSPredicate) {
    rule(
      predicate.isEqual(NSPredicate(value: true)) || predicate.isEqual(NSPredicate(value: false)),
      "An NSPredicate cannot be looked into on Linux; use a RealmPredicate, text, or `where`.")
    self.init(value: predicate.isEqual(NSPredicate(value: true)))
  }

  /// The condition as text, its arguments in their places.
  public var predicateFormat: String { query.description }
  public var description: String { predicateFormat }
}

/// The query of a text with its arguments. `SELF` stands for the elements of collections of plain values; what the
/// elements are is known when the query is used.
func parsed(_ format: String, _ args: [Any]) -> ParsedQuery {
  do {
    let arguments = args.map { QueryArgument(literal: $0) }
    return try ParsedQuery(valueFormat: format, arguments: arguments).bound(to: arguments)
  } catch { violated("Invalid query '\(format)': \(error)") }
}

extension RealmCollection {
  /// The elements for which a condition holds.
  public func filter(_ predicate: RealmPredicate) -> Results<Element> { filter(predicate.query) }

  /// All elements, or none: of `NSPredicate` nothing but `NSPredicate(value:)` is understood on Linux.
  public func filter(_ predicate: NSPredicate) -> Results<Element> { filter(RealmPredicate(predicate)) }

  /// The position of the first element for which a condition holds.
  public func index(matching predicate: RealmPredicate) -> Int? { index(matching: predicate.query) }
}

extension RealmCollection {
  /// The position of the first value of a live collection of values for which a query holds.
  func valueIndex(matching query: ParsedQuery, _ source: ResultsSource) -> Int? {
    guard case .values(let values) = source.current else { return nil }
    let filter = source.valueFilter(query)
    return source.view.reading(or: nil) {
      try filter.positions(in: values.map { try source.view.readView.value($0) }).first
    }
  }

  /// The position of the first element of an unmanaged collection for which a query holds.
  func unmanagedIndex(matching query: ParsedQuery) -> Int? {
    if let type = Element._valueType.objectType {
      let search = UnmanagedSearch(query, type)
      do { return try firstIndex { try $0._underlyingObject.map { try search.matches($0) } ?? false } } catch {
        log(.error, "An unmanaged collection could not be searched. \(error)")
        return nil
      }
    }
    do {
      let filter = try ValueFilter(query.predicate, type: .any)
      return try filter.positions(in: map { DataModel.Value(literal: $0) }).first
    } catch { violated("Invalid query on a collection of values: \(error)") }
  }
}

extension Map {
  /// The values for which a condition holds.
  public func filter(_ predicate: RealmPredicate) -> Results<Value> { filter(predicate.query) }
}

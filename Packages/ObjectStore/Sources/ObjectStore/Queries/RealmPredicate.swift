import DataModel
public import Foundation
import QueryLanguage
import RecordStore

/// A condition from text and arguments. Replaces `NSPredicate`, which cannot be made from text on Linux.
///
///     let adults = RealmPredicate(format: "age >= %@ AND name BEGINSWITH %@", 18, "A")
///     realm.objects(Person.self).filter(adults)
///
/// Equal conditions have equal text and arguments. Invalid text stops the program.
public struct RealmPredicate: Equatable, CustomStringConvertible {
  let query: ParsedQuery

  /// A condition from text, with arguments for `%@`, `%K`, `%d` and `$0`.
  public init(format: String, _ args: Any...) { self.init(format: format, argumentArray: args) }

  /// A condition from text, with its arguments in an array.
  public init(format: String, argumentArray: [Any]?) { query = parsed(format, argumentArray ?? []) }

  /// A condition that always holds, or never.
  public init(value: Bool) { query = ParsedQuery(.always(value)) }

  /// The condition of an `NSPredicate(value:)`. Any other stops the program, since Foundation does not show its content
  /// on Linux.
  init(_ predicate: NSPredicate) {
    rule(
      predicate.isEqual(NSPredicate(value: true)) || predicate.isEqual(NSPredicate(value: false)),
      "An NSPredicate cannot be looked into on Linux; use a RealmPredicate, text, or `where`.")
    self.init(value: predicate.isEqual(NSPredicate(value: true)))
  }

  /// The condition as text, with its arguments inserted.
  public var predicateFormat: String { query.description }
  /// The condition as text.
  public var description: String { predicateFormat }
}

/// The query of a text with its arguments. Invalid text stops the program. The type of `SELF` is checked when the query
/// is used.
func parsed(_ format: String, _ args: [Any]) -> ParsedQuery {
  do {
    let arguments = args.map { QueryArgument(literal: $0) }
    return try ParsedQuery(valueFormat: format, arguments: arguments).bound(to: arguments)
  } catch { violated("Invalid query '\(format)': \(error)") }
}

extension RealmCollection {
  /// The elements for which a condition holds. An unmanaged collection stops the program.
  public func filter(_ predicate: RealmPredicate) -> Results<Element> { filter(predicate.query) }

  /// All elements or none, by an `NSPredicate(value:)`. Any other `NSPredicate` stops the program.
  public func filter(_ predicate: NSPredicate) -> Results<Element> { filter(RealmPredicate(predicate)) }

  /// The position of the first element for which a condition holds; nil when there is none. O(*n*).
  public func index(matching predicate: RealmPredicate) -> Int? { index(matching: predicate.query) }
}

extension RealmCollection {
  /// The position of the first plain value of a live collection for which a query holds; nil when there is none.
  func valueIndex(matching query: ParsedQuery, _ source: ResultsSource) -> Int? {
    guard case .values(let values) = source.current else { return nil }
    let filter = source.valueFilter(query)
    return source.view.reading(or: nil) {
      try filter.positions(in: values.map { try source.view.readView.value($0) }).first
    }
  }

  /// The position of the first element of an unmanaged collection for which a query holds; nil when there is none.
  func unmanagedIndex(matching query: ParsedQuery) -> Int? {
    if let type = Element._valueType.objectType {
      let search = UnmanagedSearch(query, type)
      do { return try firstIndex { try $0._underlyingObject.map { try search.matches($0) } ?? false } } catch {
        log(.error, "An unmanaged collection could not be searched. \(error)")
        return nil
      }
    }
    do {
      let filter = try ValueFilter(query.predicate, type: .any, dialect: .nspredicate)
      return try filter.positions(in: map { DataModel.Value(literal: $0) }).first
    } catch { violated("Invalid query on a collection of values: \(error)") }
  }
}

extension Map {
  /// The values for which a condition holds.
  public func filter(_ predicate: RealmPredicate) -> Results<Value> { filter(predicate.query) }
}

import Foundation
import QueryLanguage
import RecordStore

/// A part of a type-safe query, as the closure of `where` builds it: the values of a property, or a condition.
///
///     people.where { $0.age > 18 && $0.name.starts(with: "A") }
///     people.where { $0.dogs.name == "Rex" }                       // of some dog
///     people.where { ($0.dogs.age > 3 && $0.dogs.weight < 9).count >= 2 }
///
/// The compiler checks names and types. The result is the same query as ``RealmCollection/filter(_:_:)-(String,_)``
/// makes from text.
@dynamicMemberLookup
public struct Query<T> {
  let node: TypedNode

  init(_ node: TypedNode) { self.node = node }

  init(_ path: TypedPath) { node = .path(path) }

  /// The queried element itself.
  init() { node = .path(TypedPath()) }

  var path: TypedPath {
    guard case .path(let path) = node else { violated("A condition has no properties.") }
    return path
  }

  /// The query of an element, for tests of ``_constructPredicate()``.
  public static func _constructForTesting() -> Query<T> { Query<T>() }

  /// The condition as a predicate format string and its arguments.
  public func _constructPredicate() -> (String, [Any]) {
    var writer = TypedTextWriter()
    writer.write(node)
    return (writer.text, writer.arguments)
  }

  /// The condition as a tree of the query language.
  var predicate: QueryPredicate { node.predicate }
}

/// The differences that a comparison of strings ignores.
public struct StringOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// The case of letters.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Accents and other marks on letters.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  var comparison: ComparisonOptions {
    var options: ComparisonOptions = []
    if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    return options
  }
}

// MARK: Properties

extension Query where T: ObjectBase {
  /// The values of a property.
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
    Query<V>(path.appending(KeyPathTracer.steps(member)))
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: ObjectBase {
  /// The values of a property of the object linked to.
  public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> {
    Query<V>(path.appending(KeyPathTracer.steps(member)))
  }
}

extension Query where T: RealmCollection, T.Element: ObjectBase {
  /// The values of a property of each object in the collection.
  public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> {
    Query<V>(path.appending(KeyPathTracer.steps(member)))
  }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: ObjectBase {
  /// The values of a property of each object in the map.
  public subscript<V>(dynamicMember member: KeyPath<T.Value.Wrapped, V>) -> Query<V> {
    Query<V>(path.appending(KeyPathTracer.steps(member)))
  }
}

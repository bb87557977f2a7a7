public import DataModel
public import QueryLanguage
import StorageEngine
import RecordStore

/// A collection, or the values of a map, with aggregates over its elements.
public protocol _Aggregable {
  /// Minimum, maximum, sum or average of a property of the elements; of the elements themselves for `self`.
  func _aggregate(_ operation: AggregateOperation, _ property: String) -> DataModel.Value
}

extension _Aggregable {
  /// The least value of a property; nil when there is none. Nils are skipped. O(*n*).
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    converted(_aggregate(.min, property))
  }

  /// The greatest value of a property; nil when there is none. Nils are skipped. O(*n*).
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    converted(_aggregate(.max, property))
  }

  /// The sum of a property; 0 when there is no value. Nils are skipped. O(*n*).
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    guard let sum: T = converted(_aggregate(.sum, property)) else {
      violated("The sum of '\(property)' is no \(T.self).")
    }
    return sum
  }

  /// The average of a property; nil when there is no value. Nils are skipped and not counted. O(*n*).
  public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
    converted(_aggregate(.average, property))
  }
}

extension RealmCollection {
  /// Minimum, maximum, sum or average of a property of the elements, or of the elements for `self`.
  public func _aggregate(_ operation: AggregateOperation, _ property: String) -> DataModel.Value {
    guard let source = _source else { return aggregated(operation, property, Array(self)) }
    return source.aggregate(operation, property)
  }

  /// An aggregate as a plain Swift value.
  func keyValue(_ operation: AggregateOperation, _ property: String) -> Any? {
    StoredValue(_aggregate(operation, property))?.literal
  }
}

/// An aggregate over unmanaged elements, or over a property of unmanaged objects.
func aggregated<Element: RealmCollectionValue>(
  _ operation: AggregateOperation, _ property: String, _ elements: [Element]
) -> Value {
  elements.map { element -> Value in
    let any: Any? = property == "self" ? element : element._underlyingObject?.value(forKeyPath: property)
    return any.map { Value(literal: $0) } ?? .null
  }.aggregated(operation, areMixed: property == "self" && Element._valueType.type == .any && !elements.isEmpty)
}

extension RealmCollection where Element.PersistedType: MinMaxType {
  /// The least element; nil when there is none.
  public func min() -> Element? { converted(_aggregate(.min, "self")) }
  /// The greatest element; nil when there is none.
  public func max() -> Element? { converted(_aggregate(.max, "self")) }
}

extension RealmCollection where Element.PersistedType: AddableType {
  /// The sum of the elements; 0 when there is none.
  public func sum() -> Element {
    guard let sum: Element = converted(_aggregate(.sum, "self")) else {
      violated("The sum is no \(Element.self).")
    }
    return sum
  }
  /// The average of the elements; nil when there is none.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    converted(_aggregate(.average, "self"))
  }
}

/// A value as a given type; nil for null, and for a value that does not convert.
func converted<T>(_ value: Value) -> T? {
  guard let any = StoredValue(value)?.literal else { return nil }
  if let box = boxed(any, as: T.self) { return box }
  if let exact = any as? T { return exact }
  if let integer = T.self as? any FixedWidthInteger.Type { return whole(any, integer) as? T }
  // A nil must not be cast: it would become an optional that is there and empty.
  guard let type = T.self as? any RealmCollectionValue.Type, let value = fitting(any, type) else { return nil }
  return value as? T
}

/// A value as a given type of elements. An average is a double; types that are stored as integers take it without its
/// fraction.
private func fitting<Element: RealmCollectionValue>(_ any: Any, _: Element.Type) -> Any? {
  if let converted = Element._converted(any) { return converted }
  guard Element._valueType.type == .int, let integer = whole(any, Int64.self) else { return nil }
  return Element._converted(integer)
}

/// A number as an integer of a type, without its fraction; nil when the type does not hold it.
private func whole<I: FixedWidthInteger>(_ any: Any, _: I.Type) -> I? {
  let number = NumberLiteral(any)
  return number?.integer.map { I(exactly: $0) } ?? number?.double.flatMap { I(exactly: $0.rounded(.towardZero)) }
}

extension ResultsSource {
  func aggregate(_ operation: AggregateOperation, _ property: String) -> Value {
    view.reading(or: operation == .sum ? .int(0) : .null) {
      if case .values(let values) = current, elementAccess == nil {
        return try values.map { try view.readView.value($0) }.aggregated(
          operation, areMixed: holdsMixedValues && !(values.isEmpty && isDictionary))
      }
      guard let access = elementAccess else { return .null }
      if case .table = base, stages.count < 2 {
        let plan =
          try queryPlans().first
          ?? plan(ParsedQuery(), access.layout.name)
        if !plan.hasOrderingClauses {
          do { return try plan.aggregate(operation, of: property, in: querySource) } catch let error as QueryError {
            violated("'\(property)' of '\(access.layout.name)' cannot be aggregated: \(error)")
          }
        }
      }
      return try rows.map { try value(property, $0, access) }.aggregated(operation)
    }
  }

  private var holdsMixedValues: Bool {
    if case .collection(let accessor, _) = base { accessor.field.type == .any } else { false }
  }

  /// Whether the source is a dictionary: in RealmSwift an empty one sums to an integer, an empty list or set to a
  /// decimal number.
  private var isDictionary: Bool {
    if case .collection(let accessor, _) = base { accessor.kind == .dictionary } else { false }
  }

  private func plan(_ query: ParsedQuery, _ className: String) -> QueryPlan {
    do { return try QueryPlan(query, className: className, schema: QuerySchema(view.querySchema)) } catch {
      violated("Invalid query on '\(className)': \(error)")
    }
  }

  /// The value at the end of dot-joined names through single links; null behind a missing object.
  private func value(_ path: String, _ row: RowKey, _ access: ClassAccess) throws -> Value {
    let readView = view.readView
    var layout = access.layout
    var row = row
    var names = path.split(separator: ".").map(String.init)[...]
    while let name = names.popFirst() {
      let column = view.querySchema[layout.name]?[name]?.columnName ?? name
      guard let field = layout.field(column), field.collection == .single else {
        violated("Class '\(layout.name)' has no property '\(name)' that can be aggregated.")
      }
      let stored = try readView.value(Cell(layout, row, field))
      guard case .link(let table, let target) = stored, !names.isEmpty else { return try readView.value(stored) }
      guard target.rawValue >= 0, let next = readView.catalog[table] else { return .null }
      (layout, row) = (next, target)
    }
    return .null
  }
}

extension [Value] {
  /// An aggregate over the values that are not null.
  ///
  /// - Parameter areMixed: whether the values are mixed, whose sums and averages are decimal numbers.
  func aggregated(_ operation: AggregateOperation, areMixed: Bool = false) -> Value {
    let present = filter { $0 != .null }
    switch operation {
    case .min: return present.min { $0.compareInSortOrder($1) < 0 } ?? .null
    case .max: return present.max { $0.compareInSortOrder($1) < 0 } ?? .null
    case .sum, .average:
      var integers: Int64 = 0
      var doubles = 0.0
      var decimals = Decimal128(0)
      var isInteger = true
      var isDecimal = false
      var count = 0
      for value in present {
        guard let decimal = value.asDecimal else { continue }
        count += 1
        switch value {
        case .int(let value): (integers, doubles) = (integers &+ value, doubles + Double(value))
        case .double(let value): (isInteger, doubles) = (false, doubles + value)
        case .float(let value): (isInteger, doubles) = (false, doubles + Double(value))
        default: isDecimal = true
        }
        decimals = decimals + decimal
      }
      isDecimal = isDecimal || areMixed
      if operation == .sum {
        return isDecimal ? .decimal128(decimals) : isInteger ? .int(integers) : .double(doubles)
      }
      guard count > 0 else { return .null }
      return isDecimal ? .decimal128(decimals / Decimal128(count)) : .double(doubles / Double(count))
    }
  }
}

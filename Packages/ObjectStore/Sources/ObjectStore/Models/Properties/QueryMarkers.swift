public import DataModel
public import Foundation

// The constraints of type-safe queries on the types of properties. Conformance alone is needed.

/// An optional of any type, as constraints of generic code name it.
public protocol OptionalProtocol {
  /// The type of a value that is not nil.
  associatedtype Wrapped
}
extension Optional: OptionalProtocol {}

/// Marks stored types that have an order in queries and can be aggregated.
public protocol _QueryNumeric: SortableType {}
/// Marks stored types that can be searched byte by byte.
public protocol _QueryBinary: SortableType {}
/// Marks stored types that can be searched as text.
public protocol _QueryString: _QueryBinary {}

/// A type whose values are compared in queries as another type: an enumeration by its raw value, a custom type by its
/// stored form.
public protocol _QueryLiteral {
  /// The compared value: a plain value, an object, or nil.
  var _queryLiteral: Any? { get }
}

extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension String: _QueryString {}
extension Data: _QueryBinary {}

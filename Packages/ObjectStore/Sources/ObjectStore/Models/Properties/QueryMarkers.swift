public import DataModel
public import Foundation

// What type-safe queries ask of the types of properties. A type takes part by conforming; nothing else is needed.

/// An optional of any type, as constraints of generic code name it.
public protocol OptionalProtocol {
  associatedtype Wrapped
}
extension Optional: OptionalProtocol {}

/// Marks stored types that have an order in queries and can be aggregated.
public protocol _QueryNumeric: SortableType {}
/// Marks stored types that can be searched byte by byte.
public protocol _QueryBinary: SortableType {}
/// Marks stored types that can be searched as text.
public protocol _QueryString: _QueryBinary {}

/// A value that stands in a query for another one: an enumeration for its raw value, a custom type for what is stored.
public protocol _QueryLiteral {
  /// What is compared: a plain value, an object, or nil.
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

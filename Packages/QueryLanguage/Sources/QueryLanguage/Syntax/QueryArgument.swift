public import DataModel

/// A value for `$0`, `$1`, … or `%@`, `%K` of a query.
///
///     try plan("age > $0 AND name IN $1", [18, ["Ada", "Bob"]])
public enum QueryArgument: Hashable, Sendable {
  /// One value; a string also stands for a key path.
  case value(Value)
  /// A list, behind IN, BETWEEN or a quantifier.
  case list([Value])
  /// A shape for GEOWITHIN.
  case shape(GeoShape)
}

extension QueryArgument: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  /// Null.
  public init(nilLiteral: ()) { self = .value(.null) }
  /// An int.
  public init(integerLiteral value: Int64) { self = .value(.int(value)) }
  /// A double.
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  /// A bool.
  public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
  /// A string.
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  /// A list of values.
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
}

public import DataModel

/// What stands for `$0`, `$1`, … or `%@`, `%K` of a query.
///
///     try plan("age > $0 AND name IN $1", [18, ["Ada", "Bob"]])
public enum QueryArgument: Hashable, Sendable {
  case value(Value)
  case list([Value])
  /// A shape for GEOWITHIN.
  case shape(GeoShape)
}

extension QueryArgument: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  public init(nilLiteral: ()) { self = .value(.null) }
  public init(integerLiteral value: Int64) { self = .value(.int(value)) }
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  public init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
}

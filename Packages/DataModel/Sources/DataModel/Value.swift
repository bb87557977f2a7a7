public import FoundationEssentials

/// Any value that a property can hold.
///
///     let values: [Value] = [1, "two", 3.0, true, nil]
///
/// Two values are equal when type and content are: `Value.int(1) != Value.double(1)`. Comparisons across
/// numeric types belong to the query language.
public enum Value: Hashable, Sendable {
  /// Nothing.
  case null
  /// An integer.
  case int(Int64)
  /// A truth value.
  case bool(Bool)
  /// Text.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A point in time.
  case timestamp(Timestamp)
  /// A 32-bit floating point number.
  case float(Float)
  /// A 64-bit floating point number.
  case double(Double)
  /// A decimal number.
  case decimal128(Decimal128)
  /// An object id.
  case objectId(ObjectId)
  /// A UUID.
  case uuid(UUID)
  /// A link to an object, by class and key.
  case link(ObjectReference)
  /// A list inside a mixed value.
  indirect case list([Value])
  /// A dictionary inside a mixed value.
  indirect case dictionary([String: Value])
}

extension Value: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  /// Null.
  public init(nilLiteral: ()) { self = .null }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// A double.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension Value {
  /// The property type that such a value has by itself; nil for null and for nested collections.
  public var propertyType: PropertyType? {
    switch self {
    case .null, .list, .dictionary: nil
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .timestamp: .date
    case .float: .float
    case .double: .double
    case .decimal128: .decimal128
    case .objectId: .objectId
    case .uuid: .UUID
    case .link: .object
    }
  }

  /// Whether this is ``null``.
  public var isNull: Bool { self == .null }
}

extension ObjectKey {
  /// The key as the value of a primary key property; nil for a global key.
  public var value: Value? {
    switch self {
    case .null: .null
    case .int(let value): .int(value)
    case .string(let value): .string(value)
    case .objectId(let value): .objectId(value)
    case .uuid(let value): .uuid(value)
    case .global: nil
    }
  }

  /// The key that a primary key property of this value gives; nil when no key can have it.
  public init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .int(let value): self = .int(value)
    case .string(let value): self = .string(value)
    case .objectId(let value): self = .objectId(value)
    case .uuid(let value): self = .uuid(value)
    case .bool, .data, .timestamp, .float, .double, .decimal128, .link, .list, .dictionary: return nil
    }
  }
}

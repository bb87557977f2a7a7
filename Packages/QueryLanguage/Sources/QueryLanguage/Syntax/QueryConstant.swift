public import DataModel
public import FoundationEssentials

/// A value written in a query.
public enum QueryConstant: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// A number with a fraction or exponent. The digits as written decide when it meets a decimal property.
  case double(Double, digits: String?)
  /// A number with the suffix `f`, or an argument.
  case float(Float)
  /// A decimal argument.
  case decimal(Decimal128)
  /// Text in quotes.
  case string(String)
  /// `binary("…")`.
  case data([UInt8])
  /// `2017-12-04@00:00:00` or `T<seconds>:<nanoseconds>`.
  case timestamp(Timestamp)
  /// `oid(…)`.
  case objectId(ObjectId)
  /// `uuid(…)`.
  case uuid(UUID)
  /// `obj("Class", key)`.
  case object(ObjectReference)
  /// `obj("Class", $n)`: the key is argument `n`.
  case objectWithArgument(className: String, argument: Int)
}

extension QueryConstant {
  /// The constant for a value; nil for lists and dictionaries.
  public init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .int(let value): self = .int(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(value)
    case .timestamp(let value): self = .timestamp(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value, digits: nil)
    case .decimal128(let value): self = .decimal(value)
    case .objectId(let value): self = .objectId(value)
    case .uuid(let value): self = .uuid(value)
    case .link(let value): self = .object(value)
    case .list, .dictionary: return nil
    }
  }

  /// The value, without regard to the property it will meet; nil for a key that is an argument.
  public var value: Value? {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value, _): .double(value)
    case .float(let value): .float(value)
    case .decimal(let value): .decimal128(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .timestamp(let value): .timestamp(value)
    case .objectId(let value): .objectId(value)
    case .uuid(let value): .uuid(value)
    case .object(let value): .link(value)
    case .objectWithArgument: nil
    }
  }
}

public import DataModel
public import Foundation

/// A document of an app: names and values.
public typealias Document = [String: AnyBSON?]

/// A value that App Services exchange: partition values, custom data of users, arguments of functions.
///
///     let partition: AnyBSON = "team a"
///     AnyBSON(42).int64Value             // 42
@frozen public enum AnyBSON: Hashable, Sendable {
  /// A 64-bit floating point number.
  case double(Double)
  /// Text.
  case string(String)
  /// Names and values.
  indirect case document([String: AnyBSON?])
  /// Values in order.
  indirect case array([AnyBSON?])
  /// Bytes.
  case binary(Data)
  /// No value, in old databases.
  case undefined
  /// An object id.
  case objectId(ObjectId)
  /// A truth value.
  case bool(Bool)
  /// A moment, to the millisecond.
  case datetime(Date)
  /// No value.
  case null
  /// A 32-bit integer.
  case int32(Int32)
  /// A moment, to the second.
  case timestamp(Date)
  /// A 64-bit integer.
  case int64(Int64)
  /// A decimal number.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// Less than every other value.
  case minKey
  /// Greater than every other value.
  case maxKey

  /// A value of one of the types of ``BSON``.
  public init<Value: BSON>(_ value: Value) { self = value.anyBSON }

  /// The value as one of the types of ``BSON``; nil when it is of another type.
  public func get<Value: BSON>() -> Value? { Value(anyBSON: self) }
}

extension AnyBSON {
  /// The 32-bit integer; nil for other values.
  public var int32Value: Int32? { if case .int32(let value) = self { value } else { nil } }
  /// The 64-bit integer; nil for other values.
  public var int64Value: Int64? { if case .int64(let value) = self { value } else { nil } }
  /// The integer of either size; nil for other values.
  public var asInt: Int? {
    switch self {
    case .int32(let value): Int(value)
    case .int64(let value): Int(value)
    default: nil
    }
  }
  /// The number; nil for other values.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The text; nil for other values.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The truth value; nil for other values.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The bytes; nil for other values.
  public var binaryValue: Data? { if case .binary(let value) = self { value } else { nil } }
  /// The object id; nil for other values.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  /// The UUID; nil for other values.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The moment; nil for other values.
  public var dateValue: Date? {
    switch self {
    case .datetime(let value), .timestamp(let value): value
    default: nil
    }
  }
  /// The decimal number; nil for other values.
  public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
  /// The elements; nil for other values.
  public var arrayValue: [AnyBSON?]? { if case .array(let value) = self { value } else { nil } }
  /// The members; nil for other values.
  public var documentValue: Document? { if case .document(let value) = self { value } else { nil } }
  /// Whether there is no value.
  public var isNull: Bool { self == .null || self == .undefined }
}

extension AnyBSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A 64-bit integer.
  public init(integerLiteral value: Int64) { self = .int64(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Values in order.
  public init(arrayLiteral elements: AnyBSON?...) { self = .array(elements) }
  /// A document; of several members with one name the last counts.
  public init(dictionaryLiteral members: (String, AnyBSON?)...) {
    self = .document(Dictionary(members, uniquingKeysWith: { $1 }))
  }
  /// No value.
  public init(nilLiteral: ()) { self = .null }
}

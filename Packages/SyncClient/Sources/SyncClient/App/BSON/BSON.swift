public import DataModel
public import Foundation

/// The types that stand for a value of ``AnyBSON``.
public protocol BSON: Equatable {
  /// The value.
  var anyBSON: AnyBSON { get }
  /// The value of a type; nil when it is of another.
  init?(anyBSON: AnyBSON)
}

extension Int: BSON {
  /// A 64-bit integer.
  public var anyBSON: AnyBSON { .int64(Int64(self)) }
  /// The integer of either size.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.asInt else { return nil }
    self = value
  }
}

extension Int32: BSON {
  /// A 32-bit integer.
  public var anyBSON: AnyBSON { .int32(self) }
  /// The 32-bit integer.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.int32Value else { return nil }
    self = value
  }
}

extension Int64: BSON {
  /// A 64-bit integer.
  public var anyBSON: AnyBSON { .int64(self) }
  /// The 64-bit integer.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.int64Value else { return nil }
    self = value
  }
}

extension Double: BSON {
  /// A number.
  public var anyBSON: AnyBSON { .double(self) }
  /// The number.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.doubleValue else { return nil }
    self = value
  }
}

extension Bool: BSON {
  /// A truth value.
  public var anyBSON: AnyBSON { .bool(self) }
  /// The truth value.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.boolValue else { return nil }
    self = value
  }
}

extension String: BSON {
  /// Text.
  public var anyBSON: AnyBSON { .string(self) }
  /// The text.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.stringValue else { return nil }
    self = value
  }
}

extension Data: BSON {
  /// Bytes.
  public var anyBSON: AnyBSON { .binary(self) }
  /// The bytes.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.binaryValue else { return nil }
    self = value
  }
}

extension Date: BSON {
  /// A moment, to the millisecond.
  public var anyBSON: AnyBSON { .datetime(self) }
  /// The moment.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.dateValue else { return nil }
    self = value
  }
}

extension UUID: BSON {
  /// A UUID.
  public var anyBSON: AnyBSON { .uuid(self) }
  /// The UUID.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.uuidValue else { return nil }
    self = value
  }
}

extension ObjectId: BSON {
  /// An object id.
  public var anyBSON: AnyBSON { .objectId(self) }
  /// The object id.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.objectIdValue else { return nil }
    self = value
  }
}

extension Decimal128: BSON {
  /// A decimal number.
  public var anyBSON: AnyBSON { .decimal128(self) }
  /// The decimal number.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.decimal128Value else { return nil }
    self = value
  }
}

extension AnyBSON: BSON {
  /// The value itself.
  public var anyBSON: AnyBSON { self }
  /// The value itself.
  public init?(anyBSON: AnyBSON) { self = anyBSON }
}

extension Array: BSON where Element == AnyBSON? {
  /// Values in order.
  public var anyBSON: AnyBSON { .array(self) }
  /// The elements.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.arrayValue else { return nil }
    self = value
  }
}

extension Dictionary: BSON where Key == String, Value == AnyBSON? {
  /// A document.
  public var anyBSON: AnyBSON { .document(self) }
  /// The members.
  public init?(anyBSON: AnyBSON) {
    guard let value = anyBSON.documentValue else { return nil }
    self = value
  }
}

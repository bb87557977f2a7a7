public import DataModel
public import FoundationEssentials

/// The value that an instruction writes, or a marker for an embedded object, a collection or an erased key.
public enum Payload: Hashable, Sendable {
  /// Null.
  case null
  /// A 64-bit integer.
  case int(Int64)
  /// A truth value.
  case bool(Bool)
  /// A text.
  case string(String)
  /// Binary data.
  case data([UInt8])
  /// A point in time.
  case timestamp(Timestamp)
  /// The bit pattern of a float: equality and hashing are those of the bytes.
  case float(UInt32)
  /// The bit pattern of a double: equality and hashing are those of the bytes.
  case double(UInt64)
  /// A decimal of 128 bits.
  case decimal128(Decimal128)
  /// A link to an object.
  case link(ObjectReference)
  /// An ObjectId.
  case objectId(ObjectId)
  /// A UUID.
  case uuid(UUID)
  /// "An embedded object exists here."
  case objectValue
  /// "A dictionary exists here", in a mixed value.
  case dictionary
  /// "This dictionary key is gone."
  case erased
  /// "A list exists here", in a mixed value.
  case list
  /// "A set exists here": a code of the format; every store refuses it.
  case set
}

/// The type code of a payload or of a column, as in the bytes.
public enum PayloadType: Int8, Hashable, Sendable, CaseIterable {
  /// Null; as the type of a column, mixed.
  case null = 0
  /// A 64-bit integer.
  case int = 1
  /// A truth value.
  case bool = 2
  /// A text.
  case string = 3
  /// Binary data.
  case data = 4
  /// A point in time.
  case timestamp = 5
  /// A float of 32 bits.
  case float = 6
  /// A double of 64 bits.
  case double = 7
  /// A decimal of 128 bits.
  case decimal128 = 8
  /// A link to an object.
  case link = 9
  /// An ObjectId.
  case objectId = 10
  /// A UUID.
  case uuid = 11
  /// The marker of an embedded object.
  case objectValue = -2
  /// The marker of a dictionary in a mixed value.
  case dictionary = -3
  /// The marker of an erased dictionary key.
  case erased = -4
  /// The marker of a list in a mixed value.
  case list = -5
  /// The marker of a set, which no store accepts.
  case set = -6
}

extension Payload {
  /// The type code of this payload.
  public var type: PayloadType {
    switch self {
    case .null: .null
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .timestamp: .timestamp
    case .float: .float
    case .double: .double
    case .decimal128: .decimal128
    case .link: .link
    case .objectId: .objectId
    case .uuid: .uuid
    case .objectValue: .objectValue
    case .dictionary: .dictionary
    case .erased: .erased
    case .list: .list
    case .set: .set
    }
  }

  /// The payload that writes a value; nil for collections, whose elements are written one by one.
  public init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .int(let value): self = .int(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(value)
    case .timestamp(let value): self = .timestamp(value)
    case .float(let value): self = .float(value.bitPattern)
    case .double(let value): self = .double(value.bitPattern)
    case .decimal128(let value): self = .decimal128(value)
    case .objectId(let value): self = .objectId(value)
    case .uuid(let value): self = .uuid(value)
    case .link(let value): self = .link(value)
    case .list, .dictionary: return nil
    }
  }

  /// The value that this payload writes; nil for markers of embedded objects, collections and erasure.
  public var value: Value? {
    switch self {
    case .null: .null
    case .int(let value): .int(value)
    case .bool(let value): .bool(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .timestamp(let value): .timestamp(value)
    case .float(let value): .float(Float(bitPattern: value))
    case .double(let value): .double(Double(bitPattern: value))
    case .decimal128(let value): .decimal128(value)
    case .objectId(let value): .objectId(value)
    case .uuid(let value): .uuid(value)
    case .link(let value): .link(value)
    case .objectValue, .dictionary, .erased, .list, .set: nil
    }
  }
}

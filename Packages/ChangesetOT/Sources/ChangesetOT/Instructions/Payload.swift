public import DataModel
public import FoundationEssentials

/// What an instruction writes.
public enum Payload: Hashable, Sendable {
  case null
  case int(Int64)
  case bool(Bool)
  case string(String)
  case data([UInt8])
  case timestamp(Timestamp)
  /// Compared and hashed by bit pattern, as the wire carries it.
  case float(UInt32)
  /// Compared and hashed by bit pattern, as the wire carries it.
  case double(UInt64)
  case decimal128(Decimal128)
  case link(ObjectReference)
  case objectId(ObjectId)
  case uuid(UUID)
  /// "An embedded object exists here."
  case objectValue
  /// "A dictionary exists here", in a mixed value.
  case dictionary
  /// "This dictionary key is gone."
  case erased
  /// "A list exists here", in a mixed value.
  case list
  /// "A set exists here": a code of the format that no store accepts.
  case set
}

/// The type code of a payload or of a column, as in the bytes.
public enum PayloadType: Int8, Hashable, Sendable, CaseIterable {
  case null = 0
  case int = 1
  case bool = 2
  case string = 3
  case data = 4
  case timestamp = 5
  case float = 6
  case double = 7
  case decimal128 = 8
  case link = 9
  case objectId = 10
  case uuid = 11
  case objectValue = -2
  case dictionary = -3
  case erased = -4
  case list = -5
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

  /// The payload that writes a value; nil for collections, which take several instructions.
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

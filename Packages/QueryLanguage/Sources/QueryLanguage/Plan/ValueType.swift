import DataModel

/// The type of one side of a comparison, after resolution.
enum ValueType: Hashable, Sendable {
  case bool, int, float, double, decimal, string, data, date, objectId, uuid, mixed
  case link(String)
  /// The type of `@type`: a set of kinds, as bits in an integer.
  case typeName

  init(_ property: Property) {
    switch property.type {
    case .int: self = .int
    case .bool: self = .bool
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .float: self = .float
    case .double: self = .double
    case .object, .linkingObjects: self = .link(property.objectClassName ?? "")
    case .any: self = .mixed
    case .objectId: self = .objectId
    case .decimal128: self = .decimal
    case .UUID: self = .uuid
    }
  }

  /// The type that a constant has by itself; nil for null.
  init?(_ value: Value) {
    switch value {
    case .null, .list, .dictionary: return nil
    case .int: self = .int
    case .bool: self = .bool
    case .string: self = .string
    case .data: self = .data
    case .timestamp: self = .date
    case .float: self = .float
    case .double: self = .double
    case .decimal128: self = .decimal
    case .objectId: self = .objectId
    case .uuid: self = .uuid
    case .link(let reference): self = .link(reference.className)
    }
  }

  var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    case .bool, .string, .data, .date, .objectId, .uuid, .mixed, .link, .typeName: false
    }
  }

  /// The wider of two numeric types in the order int, float, double, decimal.
  static func wider(_ left: ValueType, _ right: ValueType) -> ValueType {
    let order: [ValueType] = [.int, .float, .double, .decimal]
    return (order.firstIndex(of: left) ?? 0) >= (order.firstIndex(of: right) ?? 0) ? left : right
  }

  /// Whether values of the two types can ever be equal.
  func isComparable(with other: ValueType) -> Bool {
    self == other || self == .mixed && other != .typeName || other == .mixed && self != .typeName
      || isNumeric && other.isNumeric
  }

  /// The type in words, for messages.
  var name: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    case .data: "binary"
    case .date: "date"
    case .objectId: "objectId"
    case .uuid: "uuid"
    case .mixed: "mixed"
    case .link(let target): "link to \(target)"
    case .typeName: "type name"
    }
  }
}

/// The kinds that `@type` tells apart, as bits.
enum TypeBits {
  static let null: Int64 = 1
  static let bool: Int64 = 2
  static let int: Int64 = 4
  static let float: Int64 = 8
  static let double: Int64 = 16
  static let decimal: Int64 = 32
  static let string: Int64 = 64
  static let data: Int64 = 128
  static let date: Int64 = 256
  static let objectId: Int64 = 512
  static let uuid: Int64 = 1024
  static let link: Int64 = 2048
  static let dictionary: Int64 = 4096
  static let list: Int64 = 8192

  /// The kind of a value.
  static func of(_ value: Value) -> Int64 {
    switch value {
    case .null: null
    case .bool: bool
    case .int: int
    case .float: float
    case .double: double
    case .decimal128: decimal
    case .string: string
    case .data: data
    case .timestamp: date
    case .objectId: objectId
    case .uuid: uuid
    case .link: link
    case .list: list
    case .dictionary: dictionary
    }
  }

  /// The kind of every value of a fixed type that is not null.
  static func of(_ type: ValueType) -> Int64 {
    switch type {
    case .bool: bool
    case .int: int
    case .float: float
    case .double: double
    case .decimal: decimal
    case .string: string
    case .data: data
    case .date: date
    case .objectId: objectId
    case .uuid: uuid
    case .link: link
    case .mixed, .typeName: 0
    }
  }

  /// The kinds that a name stands for, in any letter case.
  static func named(_ name: String) -> Int64? {
    switch name.lowercased() {
    case "null": null
    case "bool", "boolean": bool
    case "int", "integer", "int16", "int32", "int64", "short", "long", "byte", "char": int
    case "float": float
    case "double": double
    case "decimal", "decimal128": decimal
    case "numeric": int | float | double | decimal
    case "string": string
    case "binary", "data", "bytearray", "byte[]", "bindata": data
    case "date", "timestamp", "datetimeoffset": date
    case "objectid": objectId
    case "uuid", "guid": uuid
    case "link", "objectlink": link
    case "object", "dictionary": dictionary
    case "array", "list": list
    case "collection": list | dictionary
    default: nil
    }
  }
}

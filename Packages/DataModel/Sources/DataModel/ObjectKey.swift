public import FoundationEssentials

/// Names one object within its class, on every device alike.
///
/// For classes with a primary key this is its value; objects of other classes carry a ``GlobalKey``.
public enum ObjectKey: Hashable, Sendable {
  case null
  case int(Int64)
  case string(String)
  case objectId(ObjectId)
  case uuid(UUID)
  case global(GlobalKey)
}

/// The key of an object whose class has no primary key: the file that made it and a counter in that file.
public struct GlobalKey: Hashable, Sendable, Comparable {
  /// The file ident of the creating file; 0 when it had none yet.
  public var high: UInt64
  /// The counter of the creating file.
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public static func < (left: GlobalKey, right: GlobalKey) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

/// Names one object in a realm: its class and its key there. The object need not exist.
public struct ObjectReference: Hashable, Sendable {
  public var className: String
  public var key: ObjectKey

  public init(className: String, key: ObjectKey) {
    self.className = className
    self.key = key
  }
}

extension ObjectKey: CustomStringConvertible {
  public var description: String {
    switch self {
    case .null: "null"
    case .int(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .objectId(let value): "oid(\(value))"
    case .uuid(let value): "uuid(\(value.uuidString.lowercased()))"
    case .global(let key): "{\(key.high), \(key.low)}"
    }
  }
}

extension ObjectReference: CustomStringConvertible {
  public var description: String { "\(className)[\(key)]" }
}

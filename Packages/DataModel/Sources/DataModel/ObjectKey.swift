public import FoundationEssentials

/// Names one object within its class, on every device alike.
///
/// For classes with a primary key this is its value; objects of other classes carry a ``GlobalKey``.
public enum ObjectKey: Hashable, Sendable {
  /// The primary key null.
  case null
  /// An integer primary key.
  case int(Int64)
  /// A string primary key.
  case string(String)
  /// An ``ObjectId`` primary key.
  case objectId(ObjectId)
  /// A UUID primary key.
  case uuid(UUID)
  /// The key of an object without primary key.
  case global(GlobalKey)
}

/// The key of an object whose class has no primary key: the file ident of the creating file, and a counter there.
public struct GlobalKey: Hashable, Sendable, Comparable {
  /// The file ident of the creating file; 0 when it had none yet.
  public var high: UInt64
  /// The counter of the creating file.
  public var low: UInt64

  /// A key of file ident and counter.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Compares by file, then by counter.
  public static func < (left: GlobalKey, right: GlobalKey) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

/// Names one object in a realm: its class and its key there. The object need not exist.
public struct ObjectReference: Hashable, Sendable {
  /// The class.
  public var className: String
  /// The key within the class.
  public var key: ObjectKey

  /// A reference; the object need not exist.
  public init(className: String, key: ObjectKey) {
    self.className = className
    self.key = key
  }
}

extension ObjectKey: CustomStringConvertible {
  /// The key as in a query: `7`, `"seven"`, `oid(…)`, `uuid(…)`; a global key as `{file, counter}`.
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
  /// Class and key: `Person[7]`.
  public var description: String { "\(className)[\(key)]" }
}

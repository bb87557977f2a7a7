/// The value of one field of a log entry.
///
/// Literals convert by themselves: `["session": 7, "path": "/team"]`. Other types through an initialiser.
public enum LogValue: Hashable, Sendable, CustomStringConvertible {
  /// Text.
  case string(String)
  /// An integer.
  case integer(Int64)
  /// A floating point number.
  case double(Double)
  /// A truth value.
  case bool(Bool)

  /// The text of any value, as its `description`; a ``Redacted`` stays redacted.
  public init(_ value: some CustomStringConvertible) { self = .string(value.description) }

  /// An integer, limited to 64 signed bits.
  public init(_ value: some BinaryInteger) { self = .integer(Int64(clamping: value)) }

  /// A truth value.
  public init(_ value: Bool) { self = .bool(value) }

  /// A floating-point number.
  public init(_ value: Double) { self = .double(value) }

  /// The value in words, without quotes.
  public var description: String {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    }
  }
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A floating point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// The ordered fields of a log entry, written as a dictionary literal. A key may occur twice; order is kept.
public struct LogFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One key with its value.
  public struct Field: Hashable, Sendable {
    /// The name, as it appears in the line.
    public var key: String
    /// The value.
    public var value: LogValue
  }

  /// The fields in the order in which they were given.
  public private(set) var fields: [Field]

  /// Fields in literal order.
  public init(dictionaryLiteral elements: (String, LogValue)...) {
    fields = elements.map { Field(key: $0.0, value: $0.1) }
  }

  /// No fields.
  public static let none: LogFields = [:]

  /// The value of the last field called `key`.
  public subscript(key: String) -> LogValue? { fields.last { $0.key == key }?.value }

  /// Adds one field at the end.
  public mutating func append(_ key: String, _ value: LogValue) { fields.append(Field(key: key, value: value)) }

  /// The fields followed by `other`.
  public func appending(_ other: LogFields) -> LogFields {
    var result = self
    result.fields.append(contentsOf: other.fields)
    return result
  }
}

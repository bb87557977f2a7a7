import DataModel
import Foundation

/// A Boolean or a number among the literals of an application, of the kind that its own type says.
///
/// A dynamic cast alone cannot tell: Foundation casts an `NSNumber` to every Swift type that can hold its value, so that
/// 1 is a `Bool` and 3 a `Float`. An `NSNumber` is a Boolean when it is one of the two Boolean instances, and otherwise
/// of the type that it was made from.
enum NumberLiteral {
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  case decimal(Decimal)

  /// The kind of a literal; nil for any other than a Boolean or number, and for an integer of more than 64 bits.
  init?(_ any: Any) {
    if type(of: any) is NSNumber.Type, let number = any as? NSNumber {
      self.init(number: number)
      return
    }
    switch any {
    case let value as Int: self = .int(Int64(value))
    case let value as Bool: self = .bool(value)
    case let value as Double: self = .double(value)
    case let value as Float: self = .float(value)
    case let value as any BinaryInteger:
      guard let whole = Int64(exactly: value) else { return nil }
      self = .int(whole)
    case let value as Decimal: self = .decimal(value)
    case let value as CGFloat: self = .double(Double(value))
    default: return nil
    }
  }

  private init(number: NSNumber) {
    if number === Self.yes || number === Self.no {
      self = .bool(number.boolValue)
    } else if let decimal = number as? NSDecimalNumber {
      self = .decimal(decimal.decimalValue)
    } else {
      switch UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "f"): self = .float(number.floatValue)
      case UInt8(ascii: "d"): self = .double(number.doubleValue)
      case UInt8(ascii: "Q") where number.uint64Value > Int64.max: self = .decimal(number.decimalValue)
      default: self = .int(number.int64Value)
      }
    }
  }

  // Foundation has one instance for each Boolean.
  private static let yes = NSNumber(value: true)
  private static let no = NSNumber(value: false)

  // MARK: As the value of a property

  /// The value for an integer property: an integer, or a Boolean as 0 or 1; nil for fractions, whole ones included.
  var integer: Int64? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .float, .double, .decimal: nil
    }
  }

  /// The value for a Boolean property: a Boolean, or 0 or 1; nil for any other number.
  var boolean: Bool? {
    switch self {
    case .bool(let value): value
    case .int(0): false
    case .int(1): true
    case .int, .float, .double, .decimal: nil
    }
  }

  /// The value for a double property; nil for a Boolean.
  var double: Double? {
    switch self {
    case .bool: nil
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
    }
  }

  /// The value for a float property, rounded; nil for a Boolean, and for a finite number out of its range.
  var float: Float? {
    if case .float(let value) = self { return value }
    guard let double else { return nil }
    let float = Float(double)
    return float.isInfinite && !double.isInfinite ? nil : float
  }

  /// The value for a decimal property.
  var decimal: Decimal128? {
    switch self {
    case .bool(let value): Decimal128(value ? 1 : 0)
    case .int(let value): Decimal128(value)
    case .float(let value): Decimal128(value)
    case .double(let value): Decimal128(value)
    case .decimal(let value): Decimal128(validating: value.description)
    }
  }
}

public import DataModel
public import Foundation
import RecordStore

extension Decimal128 {
  /// The number that a value stands for: an integer, a floating point number, a `Decimal`, an `NSNumber` or a text; a text
  /// that denotes no number gives NaN. Other values stop the program.
  public init(value: Any) {
    if let value = Decimal128._converted(value) {
      self = value
    } else if value is String || value is NSNull {
      self = .nan
    } else {
      violated("Cannot convert value '\(value)' of type '\(type(of: value))' to a Decimal128.")
    }
  }

  /// The number.
  public init(number: NSNumber) { self.init(value: number) }

  /// The nearest `Decimal`, which has more digits and a smaller range; NaN where there is none.
  public var decimalValue: Decimal { isFinite ? Decimal(string: description) ?? .nan : .nan }
}

// The operators of a type that is exported alone are not found by themselves.

/// Numbers that can be divided.
public protocol _Dividable {
  static func / (left: Self, right: Self) -> Self
  static func /= (left: inout Self, right: Self)
}

extension Decimal128: _Dividable {}

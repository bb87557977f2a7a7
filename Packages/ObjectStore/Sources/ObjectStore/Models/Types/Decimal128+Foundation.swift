public import DataModel
public import Foundation
import RecordStore

extension Decimal128 {
  /// A number from an integer, a floating point number, a `Decimal`, an `NSNumber` or a string. A string without a
  /// number gives NaN, `NSNull` a signalling NaN. Any other value stops the program.
  public init(value: Any) {
    if let value = Decimal128._converted(value) {
      self = value
    } else if isNull(value) {
      self = .signalingNaN
    } else if value is String {
      self = .nan
    } else {
      violated("Cannot convert value '\(value)' of type '\(type(of: value))' to a Decimal128.")
    }
  }

  /// The number of a Foundation number.
  public init(number: NSNumber) { self.init(value: number) }

  /// The nearest `Decimal`, which has more digits and a smaller range; NaN for a number out of its range.
  public var decimalValue: Decimal { isFinite ? Decimal(string: description) ?? .nan : .nan }
}

// Re-exporting a type alone does not export its operators; the protocol does.

/// Numbers that can be divided.
public protocol _Dividable {
  /// The quotient.
  static func / (left: Self, right: Self) -> Self
  /// Replaces the left number by the quotient.
  static func /= (left: inout Self, right: Self)
}

extension Decimal128: _Dividable {}

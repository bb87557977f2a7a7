import DataModel
public import Foundation

// Foundation's number and date classes as results of aggregates: `dogs.max(ofProperty: "age") as NSNumber?`.

extension NSNumber: _HasPersistedType, MinMaxType, AddableType {
  /// A result of aggregates only; never stored.
  public typealias PersistedType = NSNumber
}

extension NSDate: _HasPersistedType, MinMaxType {
  /// A result of aggregates only; never stored.
  public typealias PersistedType = NSDate
}

/// The value as an `NSNumber` or `NSDate`, if `T` is one of them; nil otherwise.
func boxed<T>(_ any: Any, as type: T.Type) -> T? {
  if type == NSDate.self { return (any as? Date).map { NSDate(timeIntervalSince1970: $0.timeIntervalSince1970) } as? T }
  guard type == NSNumber.self else { return nil }
  if let value = any as? Decimal128 { return NSDecimalNumber(decimal: value.decimalValue) as? T }
  switch NumberLiteral(any) {
  case .bool(let value)?: return NSNumber(value: value) as? T
  case .int(let value)?: return NSNumber(value: value) as? T
  case .double(let value)?: return NSNumber(value: value) as? T
  case .float(let value)?: return NSNumber(value: value) as? T
  case .decimal(let value)?: return NSDecimalNumber(decimal: value) as? T
  case nil: return nil
  }
}

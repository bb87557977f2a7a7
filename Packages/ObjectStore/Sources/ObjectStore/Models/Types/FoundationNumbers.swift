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
  switch any {
  case let value as Int: return NSNumber(value: value) as? T
  case let value as Double: return NSNumber(value: value) as? T
  case let value as Float: return NSNumber(value: value) as? T
  case let value as Decimal128: return NSDecimalNumber(decimal: value.decimalValue) as? T
  default: return nil
  }
}

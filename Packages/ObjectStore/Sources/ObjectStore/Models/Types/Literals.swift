import DataModel
import Foundation
import StorageEngine
import RecordStore

// Conversion between stored values and values of applications of type `Any`.

/// A value as a property shows it by its name. An integer is an `NSNumber`, which casts to `Int` and to every smaller type
/// that holds it; every other value stays as it is.
func namedValue(_ any: Any?) -> Any? {
  guard let any, case .int(let value)? = NumberLiteral(any) else { return any }
  return NSNumber(value: value)
}

extension StoredValue {
  /// The value as a plain Swift value; nil for null and for links.
  var literal: Any? {
    switch self {
    case .null: nil
    case .int(let value): Int(value)
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): Data(value)
    case .timestamp(let value): Date(value)
    case .decimal128(let value): value
    case .objectId(let value): value
    case .uuid(let value): value
    case .link: nil
    case .list(let elements): elements.map { $0.literal as Any }
    case .dictionary(let entries): entries.mapValues { $0.literal as Any }
    }
  }

  /// The value as a property shows it by its name: an integer as `NSNumber`.
  var namedValue: Any? { ObjectStore.namedValue(literal) }

  /// Converts a literal to a field's type; nil when it stands for no such value, and for links.
  init?(literal any: Any?, _ field: FieldLayout) {
    self.init(literal: any, field.type, isNullable: field.isNullable)
  }

  init?(literal any: Any?, _ type: PropertyType, isNullable: Bool) {
    guard let value = Self(plain: any, type, isNullable: isNullable) else {
      // An enumeration or custom type converts through its stored value.
      guard let backed = any as? any _StoredAs else { return nil }
      self.init(plain: backed._persistedValue, type, isNullable: isNullable)
      return
    }
    self = value
  }

  private init?(plain any: Any?, _ type: PropertyType, isNullable: Bool) {
    var any = any
    while let value = any, let optional = value as? any AnyOptional { any = optional.unwrapped }
    guard let any, !(any is NSNull) else {
      guard isNullable else { return nil }
      self = .null
      return
    }
    switch type {
    case .int:
      guard let value = Int64._converted(any) else { return nil }
      self = .int(value)
    case .bool:
      guard let value = Bool._converted(any) else { return nil }
      self = .bool(value)
    case .string:
      guard let value = String._converted(any) else { return nil }
      self = .string(value)
    case .data:
      guard let value = Data._converted(any) else { return nil }
      self = .data(Array(value))
    case .date:
      guard let value = Date._converted(any) else { return nil }
      self = .timestamp(Timestamp(value))
    case .float:
      guard let value = Float._converted(any) else { return nil }
      self = .float(value)
    case .double:
      guard let value = Double._converted(any) else { return nil }
      self = .double(value)
    case .decimal128:
      guard let value = Decimal128._converted(any) else { return nil }
      self = .decimal128(value)
    case .objectId:
      guard let value = ObjectId._converted(any) else { return nil }
      self = .objectId(value)
    case .UUID:
      guard let value = UUID._converted(any) else { return nil }
      self = .uuid(value)
    case .any:
      guard let value = StoredValue(mixed: any) else { return nil }
      self = value
    case .object, .linkingObjects:
      return nil
    }
  }

  /// Converts a literal to a mixed value; nil for objects, and for a literal that stands for no value.
  private init?(mixed any: Any) {
    if let number = NumberLiteral(any) {
      switch number {
      case .bool(let value): self = .bool(value)
      case .int(let value): self = .int(value)
      case .float(let value): self = .float(value)
      case .double(let value): self = .double(value)
      case .decimal(let value): self = .double(NSDecimalNumber(decimal: value).doubleValue)
      }
      return
    }
    switch any {
    case let value as String: self = .string(value)
    case let value as Data: self = .data(Array(value))
    case let value as Date: self = .timestamp(Timestamp(value))
    case let value as Decimal128: self = .decimal128(value)
    case let value as ObjectId: self = .objectId(value)
    case let value as UUID: self = .uuid(value)
    default: return nil
    }
  }
}

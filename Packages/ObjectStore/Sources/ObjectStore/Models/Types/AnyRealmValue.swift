public import DataModel
public import Foundation

/// A value of any type that a property can hold: scalars, links to objects of any class, lists and dictionaries.
///
///     @Persisted var answer: AnyRealmValue            // .none until set
///     item.answer = .int(42)
///     item.answer = .fromArray([.string("a"), .none])
///     item.answer.listValue?.append(.bool(true))      // the list is live once the item is
///
/// Reading does not convert between cases. Replacing a nested collection invalidates the live instances of the previous
/// one. Sets cannot be nested.
public enum AnyRealmValue: Hashable {
  /// Nil.
  case none
  /// An integer.
  case int(Int)
  /// A Boolean.
  case bool(Bool)
  /// A single-precision number.
  case float(Float)
  /// A double-precision number.
  case double(Double)
  /// A string.
  case string(String)
  /// Data.
  case data(Data)
  /// A date.
  case date(Date)
  /// A link to an object of any class.
  case object(Object)
  /// An object identifier.
  case objectId(ObjectId)
  /// A decimal number.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// A dictionary, live once its object is.
  case dictionary(Map<String, AnyRealmValue>)
  /// A list, live once its object is.
  case list(List<AnyRealmValue>)

  /// ``none``.
  public init() { self = .none }

  /// A dictionary of values.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map.updateValue(value, forKey: key) }
    return .dictionary(map)
  }

  /// A list of values.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue { .list(List(array)) }

  // MARK: The value of a case

  /// The integer; nil for every other case.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  /// The Boolean; nil for every other case.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The single-precision number; nil for every other case.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The double-precision number; nil for every other case.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The string; nil for every other case.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The data; nil for every other case.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  /// The date; nil for every other case.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The object identifier; nil for every other case.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  /// The decimal number; nil for every other case.
  public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
  /// The UUID; nil for every other case.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The dictionary; nil for every other case.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  /// The list; nil for every other case.
  public var listValue: List<AnyRealmValue>? { if case .list(let value) = self { value } else { nil } }

  /// The object, if it is of this class; nil otherwise.
  public func object<T: Object>(_ objectType: T.Type) -> T? {
    if case .object(let value) = self { value as? T } else { nil }
  }

  // MARK: Equality

  /// Whether both have the same case and equal content. Objects are compared by identity, collections element by
  /// element.
  public static func == (left: AnyRealmValue, right: AnyRealmValue) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.int(let a), .int(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.float(let a), .float(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    case (.objectId(let a), .objectId(let b)): a == b
    case (.decimal128(let a), .decimal128(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.list(let a), .list(let b)): a == b || Array(a) == Array(b)
    case (.dictionary(let a), .dictionary(let b)):
      a == b || (a.count == b.count && a.entries().allSatisfy { b[$0.key] == .some($0.value) })
    default: false  // Two different cases. The compiler cannot check a list of all pairs in reasonable time.
    }
  }

  /// Hashes in accordance with `==`.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value.count)
    case .dictionary(let value): hasher.combine(value.count)
    }
  }
}

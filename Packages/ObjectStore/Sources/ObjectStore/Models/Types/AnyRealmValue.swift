public import DataModel
public import Foundation

/// A value of any type that a property can hold: scalars, links to objects of any class, lists and dictionaries.
///
///     @Persisted var answer: AnyRealmValue            // .none until set
///     item.answer = .int(42)
///     item.answer = .fromArray([.string("a"), .none])
///     item.answer.listValue?.append(.bool(true))      // the list is live once the item is
///
/// Reading never converts from one case to another. A collection that is replaced where it lay invalidates what led to
/// it. Sets do not occur inside.
public enum AnyRealmValue: Hashable {
  case none
  case int(Int)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case object(Object)
  case objectId(ObjectId)
  case decimal128(Decimal128)
  case uuid(UUID)
  case dictionary(Map<String, AnyRealmValue>)
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

  // MARK: The value, nil unless it is of the very case

  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  public var listValue: List<AnyRealmValue>? { if case .list(let value) = self { value } else { nil } }

  /// The object, when it is of this class.
  public func object<T: Object>(_ objectType: T.Type) -> T? {
    if case .object(let value) = self { value as? T } else { nil }
  }

  // MARK: Equality

  /// Whether both have the same case and content; objects when they are the same, collections element by element.
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
    default: false
    }
  }

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

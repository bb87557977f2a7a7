/// The type of one value of a property.
///
/// Names and numbers are RealmSwift's. ``Property`` says whether a value may be null, and whether
/// there is a collection of them.
public enum PropertyType: Int, Sendable, Hashable, CaseIterable {
  /// 64-bit integers.
  case int = 0
  /// Truth values.
  case bool = 1
  /// Unicode text.
  case string = 2
  /// Bytes.
  case data = 3
  /// Points in time, see ``Timestamp``.
  case date = 4
  /// 32-bit floating point numbers.
  case float = 5
  /// 64-bit floating point numbers.
  case double = 6
  /// Links to objects of one class, or embedded objects.
  case object = 7
  /// The objects that link here: computed, never stored.
  case linkingObjects = 8
  /// Values of any type, nested collections included.
  case any = 9
  /// See ``ObjectId``.
  case objectId = 10
  /// See ``Decimal128``.
  case decimal128 = 11
  /// 128-bit identifiers.
  case UUID = 12

  /// Whether a primary key can have the type.
  var canBePrimaryKey: Bool {
    switch self {
    case .int, .string, .objectId, .UUID: true
    case .bool, .data, .date, .float, .double, .object, .linkingObjects, .any, .decimal128: false
    }
  }
}

/// The number of values of a property: one, or a collection.
public enum CollectionKind: UInt8, Sendable, Hashable, CaseIterable {
  /// One value.
  case single = 0
  /// An ordered list.
  case list = 1
  /// Values under string keys.
  case dictionary = 2
  /// Distinct values without order.
  case set = 3
}

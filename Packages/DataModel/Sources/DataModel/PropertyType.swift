/// The type of one value of a property.
///
/// Names and numbers are RealmSwift's. Whether a property is optional, or holds a collection of such values, is
/// said by ``Property``.
public enum PropertyType: Int, Sendable, Hashable, CaseIterable {
  case int = 0
  case bool = 1
  case string = 2
  case data = 3
  case date = 4
  case float = 5
  case double = 6
  case object = 7
  case linkingObjects = 8
  case any = 9
  case objectId = 10
  case decimal128 = 11
  case UUID = 12
}

/// How many values a property holds.
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

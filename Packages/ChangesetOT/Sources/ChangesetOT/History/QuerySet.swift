/// The number of a subscription set in flexible sync. 0 is the empty set that every file starts with.
public struct QueryVersion: RawRepresentable, Hashable, Sendable, Comparable {
  /// The number on the wire.
  public var rawValue: UInt64
  /// The set with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The set with this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  /// The empty set of a new file.
  public static let zero = QueryVersion(0)
  /// The order of the sets.
  public static func < (left: QueryVersion, right: QueryVersion) -> Bool { left.rawValue < right.rawValue }
}

/// A subscription set as sent: its number, and a JSON object from class name to one predicate text.
public struct QuerySet: Hashable, Sendable {
  /// The number of the set.
  public var version: QueryVersion
  /// JSON text such as `{"Person":"(age > 3)"}`.
  public var json: String

  /// A set; by itself the empty one.
  public init(version: QueryVersion = .zero, json: String = "{}") {
    self.version = version
    self.json = json
  }
}

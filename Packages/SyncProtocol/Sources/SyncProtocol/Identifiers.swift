/// The number of a session within its connection: 1 … 2^63-1, chosen by the client. 0 in an error means the connection itself.
public struct SessionIdent: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number on the wire.
  public var rawValue: UInt64
  /// The session with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The session with this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  /// No session: the message is about the connection.
  public static let connection = SessionIdent(0)
  /// The order of the numbers.
  public static func < (left: SessionIdent, right: SessionIdent) -> Bool { left.rawValue < right.rawValue }
  /// "session" and the number.
  public var description: String { "session \(rawValue)" }
}

/// The number of a MARK within its session: 1, 2, 3, …
public struct RequestIdent: RawRepresentable, Hashable, Sendable, Comparable {
  /// The number on the wire.
  public var rawValue: UInt64
  /// The request with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The request with this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  /// The order of the requests.
  public static func < (left: RequestIdent, right: RequestIdent) -> Bool { left.rawValue < right.rawValue }
}

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

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

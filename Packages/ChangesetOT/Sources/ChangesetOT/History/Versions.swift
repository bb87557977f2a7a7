/// The number of a snapshot in a client file. A new file has version 1, its first commit makes 2.
///
/// Cursors report version 1 as 0: the file is still empty.
public struct ClientVersion: RawRepresentable, Hashable, Sendable, Comparable {
  /// The number; decimal text on the wire.
  public var rawValue: UInt64
  /// The version with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The version with this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  /// Before every version.
  public static let zero = ClientVersion(0)
  /// The order of commits.
  public static func < (left: ClientVersion, right: ClientVersion) -> Bool { left.rawValue < right.rawValue }
}

/// The position of an entry in a server file's history. A new server file is at 0, its first entry is 1.
public struct ServerVersion: RawRepresentable, Hashable, Sendable, Comparable {
  /// The number; decimal text on the wire.
  public var rawValue: UInt64
  /// The version with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The version with this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  /// The empty history.
  public static let zero = ServerVersion(0)
  /// The order of the history.
  public static func < (left: ServerVersion, right: ServerVersion) -> Bool { left.rawValue < right.rawValue }
}

/// A server version with the salt of its history; detects a history that was rolled back and has grown again.
public struct SaltedServerVersion: Hashable, Sendable {
  /// The version.
  public var version: ServerVersion
  /// The salt of the history; 0 for version 0.
  public var salt: Int64

  /// A version with its salt.
  public init(version: ServerVersion, salt: Int64) {
    self.version = version
    self.salt = salt
  }

  /// The empty history.
  public static let zero = SaltedServerVersion(version: .zero, salt: 0)
}

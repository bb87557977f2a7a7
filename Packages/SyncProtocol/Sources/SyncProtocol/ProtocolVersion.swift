/// A version of the sync protocol, as negotiated when a connection opens.
///
/// 8 to 14 are spoken. Additions: 8 JSON in a flexible BIND, close codes 4xxx; 9 migration between flavours;
/// 10 LOG_MESSAGE and the session reason; 11 schema versions; 12 progress of a flexible DOWNLOAD as a fraction;
/// 13 collections inside mixed fields; 14 bootstraps begun by the server.
public struct ProtocolVersion: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number in the sub-protocol token.
  public var rawValue: UInt16
  /// The version with this number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// The version with this number.
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// The oldest version that is spoken.
  public static let oldest = ProtocolVersion(8)
  /// The newest version that is spoken.
  public static let newest = ProtocolVersion(14)
  /// Every version that is spoken.
  public static let supported = oldest...newest

  /// The order of the versions.
  public static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool { left.rawValue < right.rawValue }
  /// The number.
  public var description: String { String(rawValue) }

  /// Whether the server may send LOG_MESSAGE.
  public var hasLogMessages: Bool { rawValue >= 10 }
  /// Whether the server may send compensating writes.
  public var hasCompensatingWrites: Bool { rawValue >= 5 }
  /// Whether a flexible DOWNLOAD states its progress as a fraction instead of a number of bytes.
  public var hasFractionalProgress: Bool { rawValue >= 12 }
}

/// The kind of sync of a connection; one connection never mixes them.
public enum SyncFlavour: String, Hashable, Sendable, CaseIterable {
  /// One client file mirrors one whole server file ("full sync", PBS).
  case full = "com.mongodb.realm-sync"
  /// The client sends queries and receives what they match ("flexible sync", FLX).
  case flexible = "com.mongodb.realm-query-sync"

  /// The part of a sub-protocol token before the version.
  public var tokenPrefix: String { rawValue }
}

/// The flavour and the version of a connection, as both ends agreed.
public struct Dialect: Hashable, Sendable {
  /// Full or flexible sync.
  public var flavour: SyncFlavour
  /// The version of the protocol.
  public var version: ProtocolVersion

  /// A dialect; by itself full sync of the newest version.
  public init(_ flavour: SyncFlavour = .full, _ version: ProtocolVersion = .newest) {
    self.flavour = flavour
    self.version = version
  }
}

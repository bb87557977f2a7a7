/// The number of an error on the wire: 100 … 199 end a connection, 200 … 299 end a session.
///
///     ProtocolErrorCode.badServerVersion.name      // "bad server version"
///     ProtocolErrorCode.badServerVersion.level     // .session
///
/// Open: numbers that are not in the table exist, and have the level of their range.
public struct ProtocolErrorCode: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number on the wire.
  public var rawValue: Int
  /// The code with this number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// The code with this number.
  public init(_ rawValue: Int) { self.rawValue = rawValue }

  /// What an error ends.
  public enum Level: Hashable, Sendable {
    /// The connection with all its sessions.
    case connection
    /// One session.
    case session
  }

  /// What the error ends, by its range.
  public var level: Level { (200..<300).contains(rawValue) ? .session : .connection }

  /// Whether the code is in the table.
  public var isKnown: Bool { ErrorDescription.table[rawValue] != nil }
  /// What the error is called.
  public var name: String { ErrorDescription.table[rawValue]?.name ?? "unknown error \(rawValue)" }
  /// What brings it about.
  public var cause: String {
    ErrorDescription.table[rawValue]?.cause ?? "the peer uses a number this version does not know"
  }
  /// What to do about it.
  public var remedy: String {
    ErrorDescription.table[rawValue]?.remedy ?? "read the message that came with it, and update the older side"
  }
  /// Whether a stock client terminates its process when it receives the code. See ``SessionFailure``: ours cannot send it.
  public var crashesStockClients: Bool { ErrorDescription.table[rawValue]?.crashesStockClients ?? false }

  public static func < (left: ProtocolErrorCode, right: ProtocolErrorCode) -> Bool { left.rawValue < right.rawValue }
  public var description: String { "\(rawValue) (\(name))" }

  /// Every code of the table, in order.
  public static var known: [ProtocolErrorCode] { ErrorDescription.table.keys.sorted().map { ProtocolErrorCode($0) } }
}

extension ProtocolErrorCode {
  // Connection level.
  public static let connectionClosed = ProtocolErrorCode(100)
  public static let otherError = ProtocolErrorCode(101)
  public static let unknownMessage = ProtocolErrorCode(102)
  public static let badSyntax = ProtocolErrorCode(103)
  public static let limitsExceeded = ProtocolErrorCode(104)
  public static let wrongProtocolVersion = ProtocolErrorCode(105)
  public static let badSessionIdent = ProtocolErrorCode(106)
  public static let reuseOfSessionIdent = ProtocolErrorCode(107)
  public static let boundInOtherSession = ProtocolErrorCode(108)
  public static let badMessageOrder = ProtocolErrorCode(109)
  public static let badDecompression = ProtocolErrorCode(110)
  public static let badChangesetHeader = ProtocolErrorCode(111)
  public static let badChangesetSize = ProtocolErrorCode(112)
  public static let switchToFlexible = ProtocolErrorCode(113)
  public static let switchToFull = ProtocolErrorCode(114)

  // Session level.
  public static let sessionClosed = ProtocolErrorCode(200)
  public static let otherSessionError = ProtocolErrorCode(201)
  public static let tokenExpired = ProtocolErrorCode(202)
  public static let badAuthentication = ProtocolErrorCode(203)
  public static let illegalRealmPath = ProtocolErrorCode(204)
  public static let noSuchRealm = ProtocolErrorCode(205)
  public static let permissionDenied = ProtocolErrorCode(206)
  public static let badServerFileIdent = ProtocolErrorCode(207)
  public static let badClientFileIdent = ProtocolErrorCode(208)
  public static let badServerVersion = ProtocolErrorCode(209)
  public static let badClientVersion = ProtocolErrorCode(210)
  public static let divergingHistories = ProtocolErrorCode(211)
  public static let badChangeset = ProtocolErrorCode(212)
  public static let disabledSession = ProtocolErrorCode(213)
  public static let partialSyncDisabled = ProtocolErrorCode(214)
  public static let unsupportedFeature = ProtocolErrorCode(215)
  public static let badOriginFileIdent = ProtocolErrorCode(216)
  public static let badClientFile = ProtocolErrorCode(217)
  public static let serverFileDeleted = ProtocolErrorCode(218)
  public static let clientFileBlacklisted = ProtocolErrorCode(219)
  public static let userBlacklisted = ProtocolErrorCode(220)
  public static let transactionBeforeUpload = ProtocolErrorCode(221)
  public static let clientFileExpired = ProtocolErrorCode(222)
  public static let userMismatch = ProtocolErrorCode(223)
  public static let tooManySessions = ProtocolErrorCode(224)
  public static let invalidSchemaChange = ProtocolErrorCode(225)
  public static let badQuery = ProtocolErrorCode(226)
  public static let objectAlreadyExists = ProtocolErrorCode(227)
  public static let permissionsChanged = ProtocolErrorCode(228)
  public static let initialSyncNotCompleted = ProtocolErrorCode(229)
  public static let writeNotAllowed = ProtocolErrorCode(230)
  public static let compensatingWrite = ProtocolErrorCode(231)
  public static let migratedToFlexible = ProtocolErrorCode(232)
  public static let badProgress = ProtocolErrorCode(233)
  public static let revertedToFull = ProtocolErrorCode(234)
  public static let badSchemaVersion = ProtocolErrorCode(235)
  public static let schemaVersionChanged = ProtocolErrorCode(236)
}

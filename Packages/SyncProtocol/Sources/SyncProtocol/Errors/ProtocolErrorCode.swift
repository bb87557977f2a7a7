/// The number of an error on the wire: 100 … 199 end a connection, 200 … 299 end a session.
///
///     ProtocolErrorCode.badServerVersion.name      // "bad server version"
///     ProtocolErrorCode.badServerVersion.level     // .session
///
/// Open: numbers outside of the table have the level of their range.
public struct ProtocolErrorCode: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number on the wire.
  public var rawValue: Int
  /// The code with this number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// The code with this number.
  public init(_ rawValue: Int) { self.rawValue = rawValue }

  /// The extent of an error.
  public enum Level: Hashable, Sendable {
    /// The connection with all its sessions.
    case connection
    /// One session.
    case session
  }

  /// The extent of the error, by its range.
  public var level: Level { (200..<300).contains(rawValue) ? .session : .connection }

  /// Whether the code is in the table.
  public var isKnown: Bool { ErrorDescription.table[rawValue] != nil }
  /// The name; "unknown error" with the number for codes outside of the table.
  public var name: String { ErrorDescription.table[rawValue]?.name ?? "unknown error \(rawValue)" }
  /// The cause.
  public var cause: String {
    ErrorDescription.table[rawValue]?.cause ?? "the peer uses a number this version does not know"
  }
  /// The advice for the reader of the error.
  public var remedy: String {
    ErrorDescription.table[rawValue]?.remedy ?? "read the message that came with it, and update the older side"
  }
  /// Whether a stock client terminates its process when it receives the code. Our server has no way to send such a code; see ``SessionFailure``.
  public var crashesStockClients: Bool { ErrorDescription.table[rawValue]?.crashesStockClients ?? false }

  /// The order of the numbers.
  public static func < (left: ProtocolErrorCode, right: ProtocolErrorCode) -> Bool { left.rawValue < right.rawValue }
  /// The number and the name, such as "209 (bad server version)".
  public var description: String { "\(rawValue) (\(name))" }

  /// Every code of the table, in order.
  public static var known: [ProtocolErrorCode] { ErrorDescription.table.keys.sorted().map { ProtocolErrorCode($0) } }
}

extension ProtocolErrorCode {
  // Connection level.
  /// 100: the server ends the connection without a fault.
  public static let connectionClosed = ProtocolErrorCode(100)
  /// 101: the server had trouble.
  public static let otherError = ProtocolErrorCode(101)
  /// 102: a message type that this version does not have.
  public static let unknownMessage = ProtocolErrorCode(102)
  /// 103: a message whose head or fields cannot be read.
  public static let badSyntax = ProtocolErrorCode(103)
  /// 104: a message larger than allowed.
  public static let limitsExceeded = ProtocolErrorCode(104)
  /// 105: the two sides share no version.
  public static let wrongProtocolVersion = ProtocolErrorCode(105)
  /// 106: a message for a session that is not bound.
  public static let badSessionIdent = ProtocolErrorCode(106)
  /// 107: BIND with an ident that is still bound.
  public static let reuseOfSessionIdent = ProtocolErrorCode(107)
  /// 108: one client file in two sessions of a connection.
  public static let boundInOtherSession = ProtocolErrorCode(108)
  /// 109: a message at a point where it has no meaning.
  public static let badMessageOrder = ProtocolErrorCode(109)
  /// 110: the body of an UPLOAD is not the stated zlib stream.
  public static let badDecompression = ProtocolErrorCode(110)
  /// 111: an entry of an UPLOAD cannot be read.
  public static let badChangesetHeader = ProtocolErrorCode(111)
  /// 112: an entry of an UPLOAD reaches beyond its body.
  public static let badChangesetSize = ProtocolErrorCode(112)
  /// 113: full sync with a server for flexible sync.
  public static let switchToFlexible = ProtocolErrorCode(113)
  /// 114: flexible sync with a server for full sync.
  public static let switchToFull = ProtocolErrorCode(114)

  // Session level.
  /// 200: the server ends the session without a fault.
  public static let sessionClosed = ProtocolErrorCode(200)
  /// 201: the server had trouble with this realm.
  public static let otherSessionError = ProtocolErrorCode(201)
  /// 202: the access token is too old.
  public static let tokenExpired = ProtocolErrorCode(202)
  /// 203: the access token is not valid.
  public static let badAuthentication = ProtocolErrorCode(203)
  /// 204: the path or partition value cannot name a realm.
  public static let illegalRealmPath = ProtocolErrorCode(204)
  /// 205: the realm does not exist.
  public static let noSuchRealm = ProtocolErrorCode(205)
  /// 206: the user has no right to the realm.
  public static let permissionDenied = ProtocolErrorCode(206)
  /// 207: obsolete.
  public static let badServerFileIdent = ProtocolErrorCode(207)
  /// 208: the server never gave out this file ident.
  public static let badClientFileIdent = ProtocolErrorCode(208)
  /// 209: the client knows a server version that the server does not have.
  public static let badServerVersion = ProtocolErrorCode(209)
  /// 210: the client's versions contradict what the server has of it.
  public static let badClientVersion = ProtocolErrorCode(210)
  /// 211: client and server histories come from different pasts.
  public static let divergingHistories = ProtocolErrorCode(211)
  /// 212: a changeset cannot be read, merged or applied.
  public static let badChangeset = ProtocolErrorCode(212)
  /// 213: removed from the protocol.
  public static let disabledSession = ProtocolErrorCode(213)
  /// 214: obsolete.
  public static let partialSyncDisabled = ProtocolErrorCode(214)
  /// 215: obsolete.
  public static let unsupportedFeature = ProtocolErrorCode(215)
  /// 216: an entry claims an author that is not below the client.
  public static let badOriginFileIdent = ProtocolErrorCode(216)
  /// 217: the server gave this file up.
  public static let badClientFile = ProtocolErrorCode(217)
  /// 218: the realm was deleted while bound.
  public static let serverFileDeleted = ProtocolErrorCode(218)
  /// 219: the file is shut out.
  public static let clientFileBlacklisted = ProtocolErrorCode(219)
  /// 220: the user is shut out.
  public static let userBlacklisted = ProtocolErrorCode(220)
  /// 221: obsolete.
  public static let transactionBeforeUpload = ProtocolErrorCode(221)
  /// 222: the client was away longer than the server keeps history.
  public static let clientFileExpired = ProtocolErrorCode(222)
  /// 223: the file belongs to another user.
  public static let userMismatch = ProtocolErrorCode(223)
  /// 224: a connection with too many sessions.
  public static let tooManySessions = ProtocolErrorCode(224)
  /// 225: a change that is not additive.
  public static let invalidSchemaChange = ProtocolErrorCode(225)
  /// 226: a subscription that cannot be parsed or served.
  public static let badQuery = ProtocolErrorCode(226)
  /// 227: an object outside the view has this primary key.
  public static let objectAlreadyExists = ProtocolErrorCode(227)
  /// 228: the user's rights changed since the last connection.
  public static let permissionsChanged = ProtocolErrorCode(228)
  /// 229: the server is not ready.
  public static let initialSyncNotCompleted = ProtocolErrorCode(229)
  /// 230: the user may not write to the realm.
  public static let writeNotAllowed = ProtocolErrorCode(230)
  /// 231: the server undid a write that was not allowed.
  public static let compensatingWrite = ProtocolErrorCode(231)
  /// 232: the realm changed its flavour.
  public static let migratedToFlexible = ProtocolErrorCode(232)
  /// 233: a server that goes backwards.
  public static let badProgress = ProtocolErrorCode(233)
  /// 234: the realm changed its flavour back.
  public static let revertedToFull = ProtocolErrorCode(234)
  /// 235: the server does not know the schema version.
  public static let badSchemaVersion = ProtocolErrorCode(235)
  /// 236: the schema version of the file is older.
  public static let schemaVersionChanged = ProtocolErrorCode(236)
}

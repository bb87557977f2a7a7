/// Why a server ends a session, with what the client is told to do about it.
///
///     SessionFailure(.badServerVersion, "…").details.action     // .clientReset: stock clients recover by themselves
///
/// Only codes that leave stock clients alive can be named: 202, 203, 205, 207, 214, 215, 218 … 221 and 224 do not exist here.
public struct SessionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The codes that a server may send for a session.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    case sessionClosed = 200
    case otherSessionError = 201
    case illegalRealmPath = 204
    case permissionDenied = 206
    case badClientFileIdent = 208
    case badServerVersion = 209
    case badClientVersion = 210
    case divergingHistories = 211
    case badChangeset = 212
    case badOriginFileIdent = 216
    case badClientFile = 217
    case clientFileExpired = 222
    case userMismatch = 223
    case invalidSchemaChange = 225
    case badQuery = 226
    case objectAlreadyExists = 227
    case permissionsChanged = 228
    case initialSyncNotCompleted = 229
    case writeNotAllowed = 230
    case compensatingWrite = 231
    case migratedToFlexible = 232
    case revertedToFull = 234
    case badSchemaVersion = 235
    case schemaVersionChanged = 236

    /// The code on the wire.
    public var wire: ProtocolErrorCode { ProtocolErrorCode(rawValue) }

    /// What clients are told to do unless the failure says otherwise.
    public var defaultAction: ErrorAction {
      switch self {
      case .sessionClosed, .initialSyncNotCompleted: .transient
      case .badClientFileIdent, .badServerVersion, .badClientVersion, .divergingHistories, .badClientFile,
        .clientFileExpired, .objectAlreadyExists, .permissionsChanged, .writeNotAllowed, .badChangeset:
        .clientReset
      case .badOriginFileIdent: .protocolViolation
      case .compensatingWrite: .warning
      case .migratedToFlexible: .migrateToFlexible
      case .revertedToFull: .revertToFull
      case .schemaVersionChanged: .migrateSchema
      case .otherSessionError, .illegalRealmPath, .permissionDenied, .userMismatch, .invalidSchemaChange, .badQuery,
        .badSchemaVersion:
        .applicationBug
      }
    }

    /// Whether clients are told to come back by themselves unless the failure says otherwise.
    public var defaultTryAgain: Bool { self == .sessionClosed || self == .initialSyncNotCompleted }

    /// Whether the session lives on after the error: it is then a piece of news.
    public var leavesSessionActive: Bool { self == .compensatingWrite || self == .schemaVersionChanged }
  }

  /// The code.
  public var code: Code
  /// The body of the JSON_ERROR.
  public var details: ErrorDetails

  /// A failure with the action and the tryAgain that suit its code, unless given.
  public init(_ code: Code, _ message: String, action: ErrorAction? = nil, tryAgain: Bool? = nil) {
    self.code = code
    details = ErrorDetails(
      message: message, action: action ?? code.defaultAction, tryAgain: tryAgain ?? code.defaultTryAgain)
  }

  public var description: String { "\(code.wire): \(details.message)" }

  /// The message that tells a client of `version`. Actions that old clients do not know become ``ErrorAction/applicationBug``.
  public func message(for session: SessionIdent, version: ProtocolVersion) -> ServerMessage {
    var details = details
    if !details.action.isKnown(to: version) { details.action = .applicationBug }
    return .jsonError(JSONErrorMessage(code: code.wire, session: session, details: details))
  }
}

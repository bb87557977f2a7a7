/// The error with which a server ends a session, with the action for the client.
///
///     SessionFailure(.badServerVersion, "…").details.action     // .clientReset: stock clients recover by themselves
///
/// Guarantee: only codes that do not terminate stock clients can be named; 202, 203, 205, 207, 214, 215, 218 … 221 and 224 do
/// not exist here.
public struct SessionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The codes that a server may send for a session.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// The server ends the session without a fault.
    case sessionClosed = 200
    /// The server had trouble with this realm.
    case otherSessionError = 201
    /// The path or partition value cannot name a realm.
    case illegalRealmPath = 204
    /// The user has no right to the realm.
    case permissionDenied = 206
    /// The server never gave out this file ident.
    case badClientFileIdent = 208
    /// The client knows a server version that the server does not have.
    case badServerVersion = 209
    /// The client's versions contradict what the server has of it.
    case badClientVersion = 210
    /// Client and server histories come from different pasts.
    case divergingHistories = 211
    /// A changeset cannot be read, merged or applied.
    case badChangeset = 212
    /// An entry claims an author that is not below the client.
    case badOriginFileIdent = 216
    /// The server gave this file up.
    case badClientFile = 217
    /// The client was away longer than the server keeps history.
    case clientFileExpired = 222
    /// The file belongs to another user.
    case userMismatch = 223
    /// A change that is not additive.
    case invalidSchemaChange = 225
    /// A subscription that cannot be parsed or served.
    case badQuery = 226
    /// An object outside the view has this primary key.
    case objectAlreadyExists = 227
    /// The user's rights changed since the last connection.
    case permissionsChanged = 228
    /// The server is not ready.
    case initialSyncNotCompleted = 229
    /// The user may not write to the realm.
    case writeNotAllowed = 230
    /// The server undid a write that was not allowed.
    case compensatingWrite = 231
    /// The realm changed its flavour.
    case migratedToFlexible = 232
    /// The realm changed its flavour back.
    case revertedToFull = 234
    /// The server does not know the schema version.
    case badSchemaVersion = 235
    /// The schema version of the file is older.
    case schemaVersionChanged = 236

    /// The code on the wire.
    public var wire: ProtocolErrorCode { ProtocolErrorCode(rawValue) }

    /// The action for clients, unless the failure has another one.
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

    /// Whether clients are told to bind again by themselves, unless the failure says otherwise.
    ///
    /// Stock clients take an error without it for the end of their waits.
    public var defaultTryAgain: Bool {
      self == .sessionClosed || self == .initialSyncNotCompleted || self == .compensatingWrite
    }

    /// Whether the session goes on after the error, which is then a warning.
    public var leavesSessionActive: Bool { self == .compensatingWrite || self == .schemaVersionChanged }
  }

  /// The code.
  public var code: Code
  /// The body of the JSON_ERROR.
  public var details: ErrorDetails

  /// A failure; by itself with the default action and `tryAgain` of its code.
  public init(_ code: Code, _ message: String, action: ErrorAction? = nil, tryAgain: Bool? = nil) {
    self.code = code
    details = ErrorDetails(
      message: message, action: action ?? code.defaultAction, tryAgain: tryAgain ?? code.defaultTryAgain)
  }

  /// Code and message.
  public var description: String { "\(code.wire): \(details.message)" }

  /// The message for a client of `version`. Actions unknown to old clients become ``ErrorAction/applicationBug``.
  public func message(for session: SessionIdent, version: ProtocolVersion) -> ServerMessage {
    var details = details
    if !details.action.isKnown(to: version) { details.action = .applicationBug }
    return .jsonError(JSONErrorMessage(code: code.wire, session: session, details: details))
  }
}

import SyncProtocol

/// What a session reports: a code as Realm documents it, what happened, and what helps.
public struct SyncError: Error, Sendable, CustomStringConvertible {
  /// The documented codes. Open: compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The documented number.
    public var rawValue: Int
    /// The code with this number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The session cannot go on, or rests.
    public static let clientSessionError = Code(rawValue: 4)
    /// The user is the reason: logged out, refused.
    public static let clientUserError = Code(rawValue: 5)
    /// This side failed: disk, memory, a bug.
    public static let clientInternalError = Code(rawValue: 6)
    /// The file must be reset.
    public static let clientResetError = Code(rawValue: 7)
    /// The login is over.
    public static let underlyingAuthError = Code(rawValue: 8)
    /// The user may not do this with the realm.
    public static let permissionDeniedError = Code(rawValue: 9)
    /// A subscription that the server cannot serve; flexible sync only.
    public static let invalidFlexibleSyncSubscriptions = Code(rawValue: 10)
    /// The server undid a write.
    public static let writeRejected = Code(rawValue: 11)
    /// There is no connection.
    public static let connectionFailed = Code(rawValue: 12)
    /// The server could not prove who it is, or speaks no TLS that this side does.
    public static let tlsHandshakeFailed = Code(rawValue: 13)
    /// The server has something to say; the session goes on.
    public static let serverWarning = Code(rawValue: 14)
  }

  /// The documented code.
  public var code: Code
  /// What happened.
  public var message: String
  /// What the reader can do.
  public var remedy: String
  /// Whether the session stays stopped until the application acts.
  public var isFatal: Bool
  /// What the protocol said.
  public var cause: SyncFailure?
  /// Where the changes are that a reset could not carry over: a file for people. JSON; of an encrypted realm a realm file
  /// under the same key, with an object of the class `LostChange` for each.
  public var lostChangesPath: String?
  var reset: (backup: String, token: ActionToken)?

  /// An error with all its parts.
  public init(_ code: Code, _ message: String, remedy: String, isFatal: Bool = false, cause: SyncFailure? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.isFatal = isFatal
    self.cause = cause
  }

  /// What the protocol said, in the application's terms.
  public init(_ failure: SyncFailure) {
    self.init(
      Self.code(for: failure), failure.message, remedy: failure.remedy, isFatal: failure.isFatal, cause: failure)
  }

  private static func code(for failure: SyncFailure) -> Code {
    switch (failure.code, failure.action) {
    case (.permissionDenied?, _), (.writeNotAllowed?, .applicationBug): return .permissionDeniedError
    case (.compensatingWrite?, _): return .writeRejected
    case (.badQuery?, _): return .invalidFlexibleSyncSubscriptions
    case (_?, .warning): return .serverWarning
    case (_, .clientReset), (_, .clientResetNoRecovery): return .clientResetError
    case (_, .logOutUser): return .underlyingAuthError
    default: break
    }
    return switch failure.origin {
    case .file: .clientInternalError
    case .network: .connectionFailed
    case .closed(.tlsFailed): .tlsHandshakeFailed
    case .server, .violation, .closed, .status: .clientSessionError
    }
  }

  /// With ``Code/clientResetError`` of a manual reset: where a backup of the file will be, and what performs the reset.
  /// Nil for other errors.
  public func clientResetInfo() -> (String, ActionToken)? { reset.map { ($0.backup, $0.token) } }

  /// A deed that an error offers, for ``SyncSession/immediatelyHandleError(_:)``.
  public final class ActionToken: Sendable {
    let perform: @Sendable () -> Void
    init(_ perform: @escaping @Sendable () -> Void) { self.perform = perform }
  }

  /// Message and remedy.
  public var description: String { remedy.isEmpty ? message : "\(message); \(remedy)" }
}

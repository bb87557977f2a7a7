public import Foundation
import SyncProtocol

/// An error of a session: the code that Realm documents, a message and a remedy.
public struct SyncError: CustomNSError, Sendable, CustomStringConvertible {
  /// The documented codes. Open: compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The documented number.
    public var rawValue: Int
    /// The code with this number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The session cannot go on, or is suspended.
    public static let clientSessionError = Code(rawValue: 4)
    /// The user is logged out or refused.
    public static let clientUserError = Code(rawValue: 5)
    /// The client failed: disk, memory, a bug.
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
    /// No connection could be made, or the connection was lost.
    public static let connectionFailed = Code(rawValue: 12)
    /// The server did not prove its identity, or speaks no common version of TLS.
    public static let tlsHandshakeFailed = Code(rawValue: 13)
    /// A warning of the server; the session goes on.
    public static let serverWarning = Code(rawValue: 14)
  }

  /// The documented code.
  public var code: Code
  /// The failure, for people.
  public var message: String
  /// The reader's next step.
  public var remedy: String
  /// Whether the session stays stopped until the application acts.
  public var isFatal: Bool
  /// The failure as the protocol tells it; nil for errors of the client's own making.
  public var cause: SyncFailure?
  /// The path of the list of changes that a reset could not keep: JSON, or for an encrypted realm a realm file under
  /// the same key with one object of the class `LostChange` per change.
  public var lostChangesPath: String?
  var reset: (backup: String, token: ActionToken)?
  var deletion: ActionToken?

  /// An error with all its parts.
  public init(_ code: Code, _ message: String, remedy: String, isFatal: Bool = false, cause: SyncFailure? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.isFatal = isFatal
    self.cause = cause
  }

  /// A failure of the protocol in the application's terms.
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

  /// The path at which the reset will put a backup, and the token that performs the reset; nil unless this is the
  /// ``Code/clientResetError`` of a manual reset.
  public func clientResetInfo() -> (String, ActionToken)? { reset.map { ($0.backup, $0.token) } }

  /// The token that deletes the local copy of a realm to which the user has no access any more; nil unless this is the
  /// ``Code/permissionDeniedError`` that stopped the session. Without it the copy stays, with all its changes.
  ///
  ///     if let token = error.deleteRealmUserInfo() { SyncSession.immediatelyHandleError(token) }
  ///
  /// Handling it ends the session. The file goes when nobody has it open: at once, or when the realm is opened next.
  public func deleteRealmUserInfo() -> ActionToken? { deletion }

  /// The domain as an `NSError`.
  public static var errorDomain: String { "io.realm.sync" }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// ``userInfo``, as `CustomNSError` asks for it.
  public var errorUserInfo: [String: Any] { userInfo }
  /// Message and remedy under the keys of `NSError`; the path of a backup under ``kRLMSyncPathOfRealmBackupCopyKey``, and the
  /// token of a reset or a deletion under ``kRLMSyncErrorActionTokenKey``.
  public var userInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    if !remedy.isEmpty { info[NSLocalizedRecoverySuggestionErrorKey] = remedy }
    if let reset { info[kRLMSyncPathOfRealmBackupCopyKey] = reset.backup }
    if let token = reset?.token ?? deletion { info[kRLMSyncErrorActionTokenKey] = token }
    return info
  }

  /// The step that an error offers, a reset or a deletion, for ``SyncSession/immediatelyHandleError(_:)``.
  public final class ActionToken: Sendable {
    let perform: @Sendable () -> Void
    init(_ perform: @escaping @Sendable () -> Void) { self.perform = perform }
  }

  /// Message and remedy.
  public var description: String { remedy.isEmpty ? message : "\(message); \(remedy)" }
}

/// The key of the path of a backup in `SyncError.userInfo`.
public let kRLMSyncPathOfRealmBackupCopyKey = "recovered_realm_location_path"
/// The key of the ``SyncError/ActionToken`` in `SyncError.userInfo`.
public let kRLMSyncErrorActionTokenKey = "error_action_token"

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
    /// The server undid a write.
    public static let writeRejected = Code(rawValue: 11)
    /// There is no connection.
    public static let connectionFailed = Code(rawValue: 12)
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
    case (_, .clientReset), (_, .clientResetNoRecovery): return .clientResetError
    case (_, .logOutUser): return .underlyingAuthError
    default: break
    }
    return switch failure.origin {
    case .file: .clientInternalError
    case .network: .connectionFailed
    case .server, .violation, .closed, .status: .clientSessionError
    }
  }

  /// Message and remedy.
  public var description: String { remedy.isEmpty ? message : "\(message); \(remedy)" }
}

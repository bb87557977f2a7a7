import AuthClient

/// The failure of a call about users: the code that Realm documents, a message and a remedy.
public struct SyncAuthError: Error, Sendable, CustomStringConvertible {
  /// The documented codes. Open: compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The documented number.
    public var rawValue: Int
    /// The code with this number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The server's answer cannot be understood.
    public static let badResponse = Code(rawValue: 1)
    /// A URL that names no realm.
    public static let badRemoteRealmPath = Code(rawValue: 2)
    /// The server failed, or refuses further attempts for a while.
    public static let httpStatusCodeError = Code(rawValue: 3)
    /// Any other failure, such as a server out of reach.
    public static let clientSessionError = Code(rawValue: 4)
    /// A value that the server does not accept, such as a password that is too short.
    public static let invalidParameters = Code(rawValue: 601)
    /// A call that needs a path came without one.
    public static let missingPath = Code(rawValue: 602)
    /// Wrong name or password, or a token that the server does not accept.
    public static let invalidCredential = Code(rawValue: 611)
    /// No user has that name.
    public static let userDoesNotExist = Code(rawValue: 612)
    /// The user name is taken.
    public static let userAlreadyExists = Code(rawValue: 613)
    /// The user may not do this.
    public static let accessDeniedOrInvalidPath = Code(rawValue: 614)
    /// The login has ended, or the user is not logged in on this device.
    public static let invalidAccessToken = Code(rawValue: 615)
    /// The offer does not exist, was withdrawn, or has expired.
    public static let expiredPermissionOffer = Code(rawValue: 701)
    /// The realm cannot be shared.
    public static let fileCannotBeShared = Code(rawValue: 703)
  }

  /// The documented code.
  public var code: Code
  /// The failure, for people.
  public var message: String
  /// The reader's next step, beginning with a verb.
  public var remedy: String
  /// The HTTP status of the answer; nil without an answer.
  public var statusCode: Int?
  /// Whether the server could not prove over TLS that it is the one that was named.
  public var isServerUntrusted = false

  /// The error of `AuthClient` in documented terms.
  public init(_ error: AuthError) {
    code = Self.code(for: error.code)
    message = error.message
    remedy = error.remedy
    statusCode = error.status
    isServerUntrusted = error.code == .untrusted
  }

  init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  private static func code(for code: AuthError.Code) -> Code {
    switch code {
    case .invalidCredentials: .invalidCredential
    case .userExists: .userAlreadyExists
    case .userNotFound: .userDoesNotExist
    case .invalidParameter: .invalidParameters
    case .permissionDenied: .accessDeniedOrInvalidPath
    case .loginEnded, .notLoggedIn: .invalidAccessToken
    case .offerUnusable: .expiredPermissionOffer
    case .badResponse: .badResponse
    case .serverFailure, .tooManyAttempts: .httpStatusCodeError
    default: .clientSessionError
    }
  }

  /// Message and remedy.
  public var description: String { "\(message); \(remedy)" }
}

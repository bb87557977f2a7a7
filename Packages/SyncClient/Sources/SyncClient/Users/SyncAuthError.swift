import AuthClient

/// Why a call about users failed, with the code that Realm documents and what helps.
public struct SyncAuthError: Error, Sendable, CustomStringConvertible {
  /// The documented codes. Open: compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The documented number.
    public var rawValue: Int
    /// The code with this number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let badResponse = Code(rawValue: 1)
    public static let badRemoteRealmPath = Code(rawValue: 2)
    public static let httpStatusCodeError = Code(rawValue: 3)
    public static let clientSessionError = Code(rawValue: 4)
    public static let invalidParameters = Code(rawValue: 601)
    public static let missingPath = Code(rawValue: 602)
    public static let invalidCredential = Code(rawValue: 611)
    public static let userDoesNotExist = Code(rawValue: 612)
    public static let userAlreadyExists = Code(rawValue: 613)
    public static let accessDeniedOrInvalidPath = Code(rawValue: 614)
    public static let invalidAccessToken = Code(rawValue: 615)
    public static let expiredPermissionOffer = Code(rawValue: 701)
    public static let fileCannotBeShared = Code(rawValue: 703)
  }

  /// The documented code.
  public var code: Code
  /// What happened.
  public var message: String
  /// What the reader can do.
  public var remedy: String
  /// The HTTP status, when the server answered.
  public var statusCode: Int?

  /// The error of the layer below, in documented terms.
  public init(_ error: AuthError) {
    code = Self.code(for: error.code)
    message = error.message
    remedy = error.remedy
    statusCode = error.status
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

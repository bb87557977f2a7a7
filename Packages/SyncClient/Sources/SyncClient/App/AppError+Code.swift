import AuthClient

extension AppError {
  /// The documented codes. Open: compare with the constants.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The documented number.
    public var rawValue: Int
    /// The code with this number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Any other failure.
    public static let unknown = Code(rawValue: -1)
    /// An answer with an HTTP status that has no name, or no answer at all.
    public static let httpRequestFailed = Code(rawValue: 1)
    /// The login has ended, or the user is not logged in.
    public static let invalidSession = Code(rawValue: 2)
    /// The server does not accept the request.
    public static let badRequest = Code(rawValue: 3)
    /// There is no such user.
    public static let userNotFound = Code(rawValue: 4)
    /// The user is one of another app.
    public static let userAppDomainMismatch = Code(rawValue: 5)
    /// The server takes no addresses of this domain.
    public static let domainNotAllowed = Code(rawValue: 6)
    /// The body is too large.
    public static let readSizeLimitExceeded = Code(rawValue: 7)
    /// A value that the server does not accept, such as a password that is too short.
    public static let invalidParameter = Code(rawValue: 8)
    /// A value is missing.
    public static let missingParameter = Code(rawValue: 9)
    /// A function failed.
    public static let functionExecutionError = Code(rawValue: 10)
    /// The server failed.
    public static let internalServerError = Code(rawValue: 11)
    /// The server does not offer this way to log in.
    public static let authProviderNotFound = Code(rawValue: 12)
    /// There is no such value.
    public static let valueNotFound = Code(rawValue: 13)
    /// There is such a value already.
    public static let valueAlreadyExists = Code(rawValue: 14)
    /// The name is taken.
    public static let valueDuplicateName = Code(rawValue: 15)
    /// The server has no function of that name.
    public static let functionNotFound = Code(rawValue: 16)
    /// The function is not written correctly.
    public static let functionSyntaxError = Code(rawValue: 17)
    /// The function cannot be run.
    public static let functionInvalid = Code(rawValue: 18)
    /// There is an API key of that name already.
    public static let apiKeyAlreadyExists = Code(rawValue: 19)
    /// The work took too long.
    public static let executionTimeLimitExceeded = Code(rawValue: 20)
    /// The name leads to nothing that can be called.
    public static let notCallable = Code(rawValue: 21)
    /// The address is confirmed already.
    public static let userAlreadyConfirmed = Code(rawValue: 22)
    /// The user may not log in at present.
    public static let userDisabled = Code(rawValue: 23)
    /// The credentials are not accepted.
    public static let authError = Code(rawValue: 24)
    /// The name is taken by another user.
    public static let accountNameInUse = Code(rawValue: 25)
    /// Name or password are wrong.
    public static let invalidPassword = Code(rawValue: 26)
    /// The server is being worked on.
    public static let maintenanceInProgress = Code(rawValue: 27)
    /// The database behind the server failed.
    public static let mongoDBError = Code(rawValue: 28)
  }

  /// The code by the server's name for the error, else by the kind of failure.
  static func code(of error: AuthError) -> Code {
    if let name = error.serverName, let code = named[name] { return code }
    switch error.code {
    case .loginEnded, .notLoggedIn: return .invalidSession
    case .invalidCredentials: return .authError
    case .userExists: return .accountNameInUse
    case .userNotFound: return .userNotFound
    case .invalidParameter: return .invalidParameter
    case .providerUnavailable: return .authProviderNotFound
    case .functionNotFound: return .functionNotFound
    case .keyNotFound: return .valueNotFound
    default: return error.code == .storage ? .unknown : .httpRequestFailed
    }
  }

  private static let named: [String: Code] = [
    "InvalidSession": .invalidSession, "MissingAuthReq": .invalidSession, "BadRequest": .badRequest,
    "UserNotFound": .userNotFound, "UserAppDomainMismatch": .userAppDomainMismatch,
    "DomainNotAllowed": .domainNotAllowed, "ReadSizeLimitExceeded": .readSizeLimitExceeded,
    "InvalidParameter": .invalidParameter, "MissingParameter": .missingParameter,
    "FunctionExecutionError": .functionExecutionError, "InternalServerError": .internalServerError,
    "AuthProviderNotFound": .authProviderNotFound, "ValueNotFound": .valueNotFound,
    "APIKeyNotFound": .valueNotFound, "ServiceNotFound": .valueNotFound,
    "ValueAlreadyExists": .valueAlreadyExists, "ValueDuplicateName": .valueDuplicateName,
    "FunctionNotFound": .functionNotFound, "FunctionSyntaxError": .functionSyntaxError,
    "FunctionInvalid": .functionInvalid, "APIKeyAlreadyExists": .apiKeyAlreadyExists,
    "ExecutionTimeLimitExceeded": .executionTimeLimitExceeded, "NotCallable": .notCallable,
    "UserAlreadyConfirmed": .userAlreadyConfirmed, "UserDisabled": .userDisabled, "AuthError": .authError,
    "UserpassTokenInvalid": .badRequest, "AccountNameInUse": .accountNameInUse,
    "InvalidPassword": .invalidPassword, "MaintenanceInProgress": .maintenanceInProgress,
    "MongoDBError": .mongoDBError,
  ]
}

extension AppError.Code {
  /// Whether an error has a code, for `catch AppError.invalidPassword`.
  public static func ~= (code: Self, error: any Error) -> Bool { (error as? AppError)?.code == code }
}

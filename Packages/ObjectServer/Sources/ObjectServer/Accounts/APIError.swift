/// A refusal of the HTTP API: a status, a code, and a sentence for people.
struct APIError: Error, Hashable, Sendable {
  /// The name of a refusal, as stock clients know it.
  enum Code: String, Sendable {
    case apiKeyAlreadyExists = "APIKeyAlreadyExists"
    case apiKeyNotFound = "APIKeyNotFound"
    case accountNameInUse = "AccountNameInUse"
    case authError = "AuthError"
    case authProviderNotFound = "AuthProviderNotFound"
    case badRequest = "BadRequest"
    case fellBehind = "FellBehind"
    case functionNotFound = "FunctionNotFound"
    case internalServerError = "InternalServerError"
    case invalidParameter = "InvalidParameter"
    case invalidPassword = "InvalidPassword"
    case invalidSession = "InvalidSession"
    case methodNotAllowed = "MethodNotAllowed"
    case missingAuthReq = "MissingAuthReq"
    case missingParameter = "MissingParameter"
    case notFound = "NotFound"
    case notServed = "NotServed"
    case offerUnusable = "OfferUnusable"
    case permissionDenied = "PermissionDenied"
    case realmConflict = "RealmConflict"
    case serviceNotFound = "ServiceNotFound"
    case tooManyAttempts = "TooManyAttempts"
    case userAlreadyConfirmed = "UserAlreadyConfirmed"
    case userDisabled = "UserDisabled"
    case userNotFound = "UserNotFound"
    case userpassTokenInvalid = "UserpassTokenInvalid"
  }

  var status: Int
  var code: Code
  var message: String
  /// The seconds after which the request may be repeated, for the header `Retry-After`.
  var secondsToWait: Int?

  init(_ status: Int, _ code: Code, _ message: String, secondsToWait: Int? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.secondsToWait = secondsToWait
  }

  static let wrongPassword = APIError(401, .invalidPassword, "invalid username/password")
  static let nameTaken = APIError(409, .accountNameInUse, "name already in use")
  static let linkedToOther = APIError(
    409, .accountNameInUse, "a user has already been created with this identity")
  static let noBearer = APIError(401, .missingAuthReq, "must authenticate first: no bearer token")
  static let endedLogin = APIError(401, .invalidSession, "invalid session: the login has ended, log in again")
  static let reusedToken = APIError(
    401, .invalidSession, "invalid session: the refresh token was used before, so the login has ended; log in again")
  static let disabled = APIError(401, .userDisabled, "the user is disabled")
  static let userNotFound = APIError(404, .userNotFound, "user not found")
  static let tooManyAccounts = APIError(
    429, .tooManyAttempts, "too many new users from this address; wait and try again")
  static let tooManyPasswords = APIError(
    429, .tooManyAttempts, "too many changes of the password; wait and try again", secondsToWait: 30)
  static let badKey = APIError(401, .invalidSession, "invalid API key")
  static let noKey = APIError(404, .apiKeyNotFound, "API key not found")
  static let offerUnusable = APIError(404, .offerUnusable, "the offer does not exist, was withdrawn or has expired")
  static let storage = APIError(500, .internalServerError, "the server could not read or write its directory")

  static func tooManyAttempts(_ wait: Duration) -> APIError {
    let seconds = Int(clamping: wait.components.seconds) + (wait.components.attoseconds > 0 ? 1 : 0)
    return APIError(
      429, .tooManyAttempts, "too many failed attempts; try again in \(seconds) s", secondsToWait: seconds)
  }
  static func badRequest(_ message: String) -> APIError { APIError(400, .badRequest, message) }
  static func denied(_ message: String) -> APIError { APIError(403, .permissionDenied, message) }
  static func noProvider(_ name: String) -> APIError {
    APIError(404, .authProviderNotFound, "authentication provider not found: '\(name)'")
  }
}

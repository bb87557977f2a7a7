/// A refusal of the HTTP API: a status, the name that stock clients know, and a sentence.
struct APIError: Error, Hashable, Sendable {
  var status: Int
  var code: String
  var message: String
  /// When it may be tried again, for the header `Retry-After`.
  var secondsToWait: Int?

  init(_ status: Int, _ code: String, _ message: String, secondsToWait: Int? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.secondsToWait = secondsToWait
  }

  static let wrongPassword = APIError(401, "InvalidPassword", "invalid username/password")
  static let nameTaken = APIError(409, "AccountNameInUse", "name already in use")
  static let noBearer = APIError(401, "MissingAuthReq", "must authenticate first: no bearer token")
  static let endedLogin = APIError(401, "InvalidSession", "invalid session: the login has ended, log in again")
  static let disabled = APIError(401, "UserDisabled", "the user is disabled")
  static let userNotFound = APIError(404, "UserNotFound", "user not found")
  static let tooManyAccounts = APIError(
    429, "TooManyAttempts", "too many new users from this address; wait and try again")
  static let badKey = APIError(401, "InvalidSession", "invalid API key")
  static let noKey = APIError(404, "APIKeyNotFound", "API key not found")
  static let offerUnusable = APIError(404, "OfferUnusable", "the offer does not exist, was withdrawn or has expired")
  static let storage = APIError(500, "InternalServerError", "the server could not read or write its directory")

  static func tooManyAttempts(_ wait: Duration) -> APIError {
    let seconds = Int(clamping: wait.components.seconds) + (wait.components.attoseconds > 0 ? 1 : 0)
    return APIError(
      429, "TooManyAttempts", "too many failed attempts; try again in \(seconds) s", secondsToWait: seconds)
  }
  static func badRequest(_ message: String) -> APIError { APIError(400, "BadRequest", message) }
  static func denied(_ message: String) -> APIError { APIError(403, "PermissionDenied", message) }
  static func noProvider(_ name: String) -> APIError {
    APIError(404, "AuthProviderNotFound", "authentication provider not found: '\(name)'")
  }
}

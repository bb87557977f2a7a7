import FoundationEssentials
import Transport

/// The body of a refusal: the message of the server and the name of the error.
struct ServerRefusal: Decodable {
  var error: String?
  var error_code: String?

  /// The error of a response without success.
  static func error(of response: HTTPResponse) -> AuthError {
    let refusal = try? JSONDecoder().decode(ServerRefusal.self, from: Data(response.body))
    let (code, remedy) = meaning(refusal?.error_code, status: response.status)
    let words = refusal?.error ?? "the server answered with status \(response.status)"
    return AuthError(code, words, remedy: remedy, status: response.status)
  }

  private static func meaning(_ name: String?, status: Int) -> (AuthError.Code, String) {
    switch (name, status) {
    case ("TooManyAttempts", _), (_, 429): (.tooManyAttempts, "wait a minute and try again")
    case ("InvalidPassword", _): (.invalidCredentials, "check user name and password")
    case ("AuthError", _): (.invalidCredentials, "check the credentials")
    case ("AccountNameInUse", _): (.userExists, "log in, or choose another name")
    case ("UserNotFound", _): (.userNotFound, "check the user's name")
    case ("UserDisabled", _): (.loginEnded, "ask the administrator of the server")
    case ("AuthProviderNotFound", _):
      (.providerUnavailable, "log in another way, or ask the administrator to enable it")
    case ("OfferUnusable", _): (.offerUnusable, "ask for a new offer")
    case ("PermissionDenied", _), (_, 403): (.permissionDenied, "ask the owner of the realm to grant it")
    case ("InvalidParameter", _), ("MissingParameter", _), ("BadRequest", _), (_, 400):
      (.invalidParameter, "correct the value and try again")
    case ("InvalidSession", _), ("MissingAuthReq", _), (_, 401): (.loginEnded, "log in again")
    case (_, 500...): (.serverFailure, "try again later; the server's log says more")
    default: (.badResponse, "check that the address is that of a realm object server")
    }
  }
}

import FoundationEssentials
import Transport

/// The body of a refusal: the message of the server and the name of the error.
struct ServerRefusal: Decodable {
  var error: String?
  var error_code: String?
  /// The message and the number of refusals of the documented login call.
  var title: String?
  var code: Int?

  /// The error of a response without success.
  static func error(of response: HTTPResponse) -> AuthError {
    let refusal = try? JSONDecoder().decode(ServerRefusal.self, from: Data(response.body))
    let (code, remedy) = meaning(refusal?.error_code ?? name(of: refusal?.code), status: response.status)
    let words = refusal?.error ?? refusal?.title ?? "the server answered with status \(response.status)"
    var error = AuthError(code, words, remedy: remedy, status: response.status)
    error.serverName = refusal?.error_code
    return error
  }

  /// The name for a documented number.
  private static func name(of number: Int?) -> String? {
    switch number {
    case 601: "InvalidParameter"
    case 602: "MissingParameter"
    case 611: "AuthError"
    case 612: "UserNotFound"
    case 613: "AccountNameInUse"
    case 614: "PermissionDenied"
    case 615: "InvalidSession"
    default: nil
    }
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
    case ("APIKeyNotFound", _): (.keyNotFound, "list the keys of the user")
    case ("FunctionNotFound", _), ("ServiceNotFound", _):
      (.functionNotFound, "do this work in the app, or in a program beside the server: it runs no functions")
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

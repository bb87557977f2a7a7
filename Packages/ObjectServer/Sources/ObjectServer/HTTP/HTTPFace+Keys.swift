import Permissions
import Transport

extension HTTPFace {
  /// The keys of a user, without their secrets.
  static func apiKeys(_ accounts: Accounts, _ bearer: LoginBearer) throws -> HTTPResponse {
    JSONAnswer.response(200, try accounts.directory.apiKeys(of: bearer.user.id).map { APIKeyBody($0) })
  }

  /// Makes a key, and tells its secret this once.
  static func createAPIKey(
    _ request: HTTPRequest, _ accounts: Accounts, _ bearer: LoginBearer
  ) throws -> HTTPResponse {
    let name = try JSONAnswer.read(APIKeyRequest.self, from: request).name
    let new = try accounts.createAPIKey(named: name, for: bearer.user.id)
    return JSONAnswer.response(201, APIKeyBody(new.record, secret: new.secret))
  }

  /// Answers what stock clients ask about accounts that are confirmed by mail. Accounts here are confirmed from the start,
  /// and the server sends no mail: an administrator sets a forgotten password. The answer is the same, after the same work,
  /// whether there is such an account or not.
  static func mailRefusal(_ words: String, _ request: HTTPRequest) throws(APIError) -> APIError {
    let body = request.body.isEmpty ? MailRequest() : try JSONAnswer.read(MailRequest.self, from: request)
    if words == "confirm" || words == "reset" {
      guard body.token != nil, body.tokenId != nil else {
        throw APIError(400, "MissingParameter", "the body needs 'token' and 'tokenId'")
      }
      return APIError(400, "UserpassTokenInvalid", "invalid token data")
    }
    guard let email = body.email else { throw APIError(400, "MissingParameter", "the body has no 'email'") }
    guard words.hasPrefix("reset") else {
      return APIError(400, "UserAlreadyConfirmed", "already confirmed: this server asks nobody to confirm an account")
    }
    return .badRequest("failed to reset password for user \"\(email)\": ask the server's administrator")
  }

  /// Functions and services of an app do not exist here; the answer has the name that stock clients know.
  static func functionRefusal(_ request: HTTPRequest) -> APIError {
    let body = try? JSONAnswer.read(FunctionRequest.self, from: request)
    if let service = body?.service { return APIError(404, "ServiceNotFound", "service not found: '\(service)'") }
    return APIError(404, "FunctionNotFound", "function not found: '\(body?.name ?? "")'")
  }
}

extension APIKeyBody {
  init(_ record: APIKeyRecord, secret: String? = nil) {
    self.init(_id: record.id, name: record.name, disabled: record.isDisabled, key: secret)
  }
}

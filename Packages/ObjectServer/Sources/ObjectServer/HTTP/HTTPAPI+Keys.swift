import Permissions
import Transport

extension HTTPAPI {
  /// The keys of a user, without their secrets.
  ///
  /// - Throws: ``ServerError`` when the directory cannot be read.
  static func apiKeys(_ accounts: Accounts, _ bearer: LoginBearer) throws -> HTTPResponse {
    JSONAnswer.response(200, try accounts.directory.apiKeys(of: bearer.user.id).map { APIKeyBody($0) })
  }

  /// Creates a key and answers its secret, for the only time.
  ///
  /// - Throws: ``APIError`` when the name is taken, bad or one too many; ``ServerError``.
  static func createAPIKey(
    _ request: HTTPRequest, _ accounts: Accounts, _ bearer: LoginBearer
  ) throws -> HTTPResponse {
    let name = try JSONAnswer.read(APIKeyRequest.self, from: request).name
    let new = try accounts.createAPIKey(named: name, by: bearer.login)
    return JSONAnswer.response(201, APIKeyBody(new.record, secret: new.secret))
  }

  /// One key of a user, without its secret.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError`` when the directory cannot be read.
  static func apiKey(_ id: String, _ accounts: Accounts, _ bearer: LoginBearer) throws -> HTTPResponse {
    JSONAnswer.response(200, APIKeyBody(try accounts.apiKey(id, of: bearer.user.id)))
  }

  /// Deletes a key and ends its logins.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError`` when the directory cannot be written.
  static func deleteAPIKey(_ id: String, _ accounts: Accounts, _ bearer: LoginBearer) throws -> HTTPResponse {
    try accounts.deleteAPIKey(id, of: bearer.user.id)
    return JSONAnswer.empty(204)
  }

  /// Enables or disables a key; a disabled key's logins end.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError`` when the directory cannot be written.
  static func setAPIKey(
    _ id: String, enabled: Bool, _ accounts: Accounts, _ bearer: LoginBearer
  ) throws -> HTTPResponse {
    try accounts.setAPIKey(id, of: bearer.user.id, enabled: enabled)
    return JSONAnswer.empty(204)
  }

  /// Refuses the requests of stock clients for accounts that are confirmed by mail. Accounts here are confirmed from the start,
  /// and the server sends no mail: an administrator sets a forgotten password. The answer is the same, after the same work,
  /// whether there is such an account or not.
  ///
  /// - Returns: the refusal for stock clients.
  /// - Throws: ``APIError`` with 400 when the body is not as it should be.
  static func mailRefusal(_ routed: RoutedRequest) throws(APIError) -> APIError {
    // The words after `…/providers/local-userpass/`, as in `confirm/send`.
    let (request, words) = (routed.http, routed.path.dropFirst(8).joined(separator: "/"))
    let body = request.body.isEmpty ? MailRequest() : try JSONAnswer.read(MailRequest.self, from: request)
    if words == "confirm" || words == "reset" {
      guard body.token != nil, body.tokenId != nil else {
        throw APIError(400, .missingParameter, "the body needs 'token' and 'tokenId'")
      }
      return APIError(400, .userpassTokenInvalid, "invalid token data")
    }
    guard let email = body.email else { throw APIError(400, .missingParameter, "the body has no 'email'") }
    guard words.hasPrefix("reset") else {
      return APIError(400, .userAlreadyConfirmed, "already confirmed: this server asks nobody to confirm an account")
    }
    return .badRequest("failed to reset password for user \"\(email)\": ask the server's administrator")
  }

  /// Functions and services of an app do not exist here; the answer has the name that stock clients know.
  static func functionRefusal(_ request: HTTPRequest) -> APIError {
    let body = try? JSONAnswer.read(FunctionRequest.self, from: request)
    if let service = body?.service { return APIError(404, .serviceNotFound, "service not found: '\(service)'") }
    return APIError(404, .functionNotFound, "function not found: '\(body?.name ?? "")'")
  }
}

extension APIKeyBody {
  init(_ record: APIKeyRecord, secret: String? = nil) {
    self.init(_id: record.id, name: record.name, disabled: record.isDisabled, key: secret)
  }
}

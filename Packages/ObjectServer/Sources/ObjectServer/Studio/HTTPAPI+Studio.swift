import ByteCoding
import Permissions
import Transport

/// The routes of Studio, the console in the browser: its pages and the login of the browser.
extension HTTPAPI {
  static let studioPrefix = "/studio/"

  /// Whether Studio answers a request; it does not exist for those whom the settings keep out.
  func answersStudio(_ request: HTTPRequest) -> Bool {
    guard studio != nil, request.path == "/studio" || request.path.hasPrefix(Self.studioPrefix) else { return false }
    return switch studioAccess {
    case .all: true
    case .local: request.beginsHere(behindProxy: isBehindProxy)
    case .none: false
    }
  }

  /// Answers a request for a page, or for the login. On the loop.
  func respondStudio(to request: HTTPRequest, with responder: any HTTPResponder) throws(APIError) {
    guard request.path != "/studio" else {
      return responder.respond(HTTPResponse(status: 308, headers: ["Location": Self.studioPrefix]))
    }
    let path = String(request.path.dropFirst(Self.studioPrefix.count))
    guard path == "session" else {
      guard let page = studio?.response(to: request, path: path) else {
        throw APIError(404, .notFound, "there is nothing at this path")
      }
      return responder.respond(page)
    }
    switch request.method {
    case "GET": answerStudioLogin(request, responder)
    case "POST": try logInStudio(request, noted("login", request, responder))
    case "DELETE": logOutStudio(request, noted("logout", request, responder))
    default: throw APIError(405, .methodNotAllowed, "use GET, POST or DELETE here")
    }
  }

  /// A responder that notes the outcome in the audit log.
  private func noted(
    _ event: String, _ request: HTTPRequest, _ responder: any HTTPResponder
  ) -> any HTTPResponder {
    audit.map { AuditingResponder(responder, trail: $0, event: event, request: request, proof: .cookie) } ?? responder
  }

  /// Answers the login of the browser; null where there is none.
  private func answerStudioLogin(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    let accounts = accounts
    answer(.directory, responder) {
      guard let token = StudioLogin.token(of: request),
        let bearer = try? StudioLogin.bearer(of: request, cookie: token, accounts)
      else { return Self.studioAnswer(.null) }
      return Self.studioAnswer(try Self.studioSession(bearer, token, accounts))
    }
  }

  private func logInStudio(_ request: HTTPRequest, _ responder: any HTTPResponder) throws(APIError) {
    // Forms of other sites cannot send this type.
    guard request.headers["Content-Type"]?.hasPrefix("application/json") == true else {
      throw .badRequest("the body has to be application/json")
    }
    let body = try JSONAnswer.read(LoginRequest.self, from: request)
    guard let name = body.username, let password = body.password else {
      throw APIError(400, .missingParameter, "the body needs 'username' and 'password'")
    }
    let accounts = accounts
    let isSecure = request.isSecure || request.headers["X-Forwarded-Proto"] == "https"
    answerPassword(of: name, request, responder) {
      let tokens = try accounts.logIn(name: name, password: password, app: StudioLogin.app)
      let (_, user) = try accounts.login(refreshToken: tokens.refresh)
      var response = Self.studioAnswer(
        Self.session(named: name, user.id, isAdministrator: user.isAdministrator, tokens.refresh))
      response.headers["Set-Cookie"] = StudioLogin.setting(tokens.refresh, isSecure: isSecure)
      return response
    }
  }

  private func logOutStudio(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    let accounts = accounts
    let isSecure = request.isSecure || request.headers["X-Forwarded-Proto"] == "https"
    answer(.directory, responder) {
      if let token = StudioLogin.token(of: request) {
        let bearer = try StudioLogin.bearer(of: request, cookie: token, accounts)
        if let login = bearer.login { try accounts.directory.endLogin(login) }
      }
      var response = HTTPResponse(status: 204)
      response.headers["Set-Cookie"] = StudioLogin.setting(nil, isSecure: isSecure)
      return response
    }
  }

  private static func studioSession(_ bearer: Bearer, _ token: String, _ accounts: Accounts) throws -> JSONValue {
    let identities = try accounts.directory.identities(of: bearer.user)
    let name = identities.first { $0.provider == AuthProvider.password.rawValue }?.name ?? bearer.user.rawValue
    return session(named: name, bearer.user, isAdministrator: bearer.subject.isAdministrator, token)
  }

  /// A login as the pages know it: the scope says whether they show the server, or the realms of one user.
  private static func session(
    named name: String, _ user: UserId, isAdministrator: Bool, _ token: String
  ) -> JSONValue {
    .object([
      ("name", .string(name)), ("user_id", .string(user.rawValue)), ("scope", isAdministrator ? "server" : "user"),
      ("token", .string(StudioLogin.forgeryToken(of: token))),
    ])
  }

  private static func studioAnswer(_ value: JSONValue) -> HTTPResponse {
    var response = HTTPResponse(status: 200, json: Array(value.text.utf8))
    response.headers["Cache-Control"] = "no-store"
    return response
  }
}

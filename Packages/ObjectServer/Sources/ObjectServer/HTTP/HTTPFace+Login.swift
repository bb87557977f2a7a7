import Transport

extension HTTPFace {
  func register(_ request: HTTPRequest, app: String, _ responder: any HTTPResponder) throws(APIError) {
    guard accounts.policy.allowsRegistration else {
      throw APIError(403, "BadRequest", "this server does not register users; ask its administrator")
    }
    let body = try JSONAnswer.read(RegisterRequest.self, from: request)
    try checkAccountRate(request)
    let accounts = accounts
    answer(lane(body.email), responder) {
      try accounts.register(name: body.email, password: body.password)
      return JSONAnswer.response(201, [String: String]())
    }
  }

  func logIn(
    _ request: HTTPRequest, app: String, provider: String, _ responder: any HTTPResponder
  ) throws(APIError) {
    let body =
      request.body.isEmpty ? LoginRequest() : try JSONAnswer.read(LoginRequest.self, from: request)
    let accounts = accounts
    switch provider {
    case Accounts.passwordProvider:
      guard let name = body.username, let password = body.password else {
        throw APIError(400, "MissingParameter", "the body needs 'username' and 'password'")
      }
      try logIn(name: name, password: password, app: app, request, responder)
    case Accounts.anonymousProvider:
      try checkAccountRate(request)
      answer(.directory, responder) { JSONAnswer.response(200, LoginBody(try accounts.logInAnonymously(app: app))) }
    case Accounts.customProvider:
      guard let token = body.token else { throw APIError(400, "MissingParameter", "the body has no 'token'") }
      answer(.directory, responder) {
        JSONAnswer.response(200, LoginBody(try accounts.logIn(customToken: token, app: app)))
      }
    case Accounts.keyProvider:
      guard let key = body.key else { throw APIError(400, "MissingParameter", "the body has no 'key'") }
      answer(.directory, responder) { JSONAnswer.response(200, LoginBody(try accounts.logIn(apiKey: key, app: app))) }
    default: throw .noProvider(provider)
    }
  }

  /// Attaches another identity to the user who is logged in.
  func link(_ request: HTTPRequest, provider: String, _ responder: any HTTPResponder) throws(APIError) {
    let body = request.body.isEmpty ? LoginRequest() : try JSONAnswer.read(LoginRequest.self, from: request)
    let accounts = accounts
    answer(lane(body.username ?? ""), responder) {
      let bearer = try Self.bearer(try Self.token(of: request), accounts)
      return JSONAnswer.response(200, LinkBody(access_token: try accounts.link(body, provider: provider, to: bearer)))
    }
  }

  private func logIn(
    name: String, password: String, app: String, _ request: HTTPRequest, _ responder: any HTTPResponder
  ) throws(APIError) {
    let address = PeerAddress.withoutPort(request.remoteAddress)
    guard throttle.admits(name: name, address: address, at: desk.scheduler.now) else {
      metrics.throttledLogins.increment()
      throw .tooManyAttempts
    }
    let accounts = accounts
    answer(lane(name), responder) {
      JSONAnswer.response(200, LoginBody(try accounts.logIn(name: name, password: password, app: app)))
    } then: { [self] response in
      if response.isSuccess {
        metrics.logins.increment()
        throttle.succeeded(name: name)
      } else if response.status == 401 {
        metrics.failedLogins.increment()
        throttle.failed(name: name, address: address, at: desk.scheduler.now)
        logger.warn("login refused", ["address": .string(address)])
      }
    }
  }

  /// Logins of one user keep their order; those of different users run side by side.
  func lane(_ name: String) -> WorkLane {
    .passwords(name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % max(1, passwordLanes))
  }

  /// Slows down who makes users in bulk.
  func checkAccountRate(_ request: HTTPRequest) throws(APIError) {
    guard accountRate.admits(PeerAddress.withoutPort(request.remoteAddress), at: desk.scheduler.now) else {
      metrics.throttledAccounts.increment()
      throw .tooManyAccounts
    }
  }
}

extension LoginBody {
  init(_ tokens: Accounts.Tokens) {
    self.init(
      access_token: tokens.access, refresh_token: tokens.refresh, user_id: tokens.user.rawValue,
      device_id: tokens.device)
  }
}

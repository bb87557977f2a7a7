import Concurrency
import Transport

extension HTTPAPI {
  func register(_ request: HTTPRequest, app: String, _ responder: any HTTPResponder) throws(APIError) {
    try checkRegistration(request)
    let body = try JSONAnswer.read(RegisterRequest.self, from: request)
    try checkNewUsers(request)
    if let mail, mail.settings.confirmsAccounts {
      return try registerPending(body, app: app, request, mail, responder)
    }
    let accounts = accounts
    answer(queue(of: body.email), responder) { [self] in
      try countNewUser(request)
      return try countingNames(request, tells: .nameTaken) {
        try accounts.registerByRequest(name: body.email, password: body.password)
        return JSONAnswer.response(201, [String: String]())
      }
    }
  }

  func logIn(
    _ request: HTTPRequest, app: String, provider: String, _ responder: any HTTPResponder
  ) throws(APIError) {
    if let function = functionProviders.first(where: { $0.name == provider }) {
      let document = request.body.isEmpty ? Array("{}".utf8) : request.body
      return try logIn(byFunction: function, document, app: app, request, responder) { tokens in
        JSONAnswer.response(200, LoginBody(tokens))
      }
    }
    let body =
      request.body.isEmpty ? LoginRequest() : try JSONAnswer.read(LoginRequest.self, from: request)
    let accounts = accounts
    let isNamed = accounts.providers.all.contains { $0.name == provider }
    let known: AuthProvider? = isNamed ? .customToken : AuthProvider(rawValue: provider)
    if let known { try checkProvider(known, request) }
    switch known {
    case .password:
      guard let name = body.username, let password = body.password else {
        throw APIError(400, .missingParameter, "the body needs 'username' and 'password'")
      }
      answerPassword(of: name, request, responder) {
        JSONAnswer.response(200, LoginBody(try accounts.logIn(name: name, password: password, app: app)))
      }
    case .anonymous:
      try checkNewUsers(request)
      answerLogin(provider, request, responder) { [self] in
        try countNewUser(request)
        return try accounts.logInAnonymously(app: app)
      }
    case .customToken:
      guard let token = body.token else { throw APIError(400, .missingParameter, "the body has no 'token'") }
      // The plain route takes the tokens of all providers.
      let name = provider == AuthProvider.customToken.rawValue ? nil : provider
      accounts.providers.prepare(for: token, named: name) { [self] in
        answerLogin(provider, request, responder) {
          try accounts.logIn(customToken: token, app: app, provider: name)
        }
      }
    case .nickname:
      guard let name = body.username else { throw APIError(400, .missingParameter, "the body has no 'username'") }
      try checkNewUsers(request)
      answerLogin(provider, request, responder) { [self] in
        try countNewUser(request)
        return try accounts.logIn(nickname: name, isAdministrator: body.isAdmin ?? false, app: app)
      }
    case .apiKey:
      guard let key = body.key else { throw APIError(400, .missingParameter, "the body has no 'key'") }
      answerLogin(provider, request, responder) { try accounts.logIn(apiKey: key, app: app) }
    case .function, nil: throw .noProvider(provider)
    }
  }

  private func answerLogin(
    _ provider: String, _ request: HTTPRequest, _ responder: any HTTPResponder,
    _ logIn: @escaping @Sendable () throws -> Accounts.Tokens
  ) {
    let network = Self.network(of: request)
    answer(.directory, responder) { [self] in
      JSONAnswer.response(200, LoginBody(try reportingRefusals(of: provider, network, logIn)))
    }
  }

  /// Checks whether the sender of a request may make a user with a name and a password.
  ///
  /// - Throws: ``APIError`` with 403.
  func checkRegistration(_ request: HTTPRequest) throws(APIError) {
    guard accounts.policy.allowsPasswords else { throw .noProvider(AuthProvider.password.rawValue) }
    guard accounts.policy.registration.admits(request, behindProxy: isBehindProxy) else {
      throw APIError(403, .badRequest, "this server does not register users from here; ask its administrator")
    }
  }

  /// Checks whether the sender of a request may use a provider at all.
  ///
  /// - Throws: ``APIError`` with 404.
  func checkProvider(_ provider: AuthProvider, _ request: HTTPRequest) throws(APIError) {
    let policy = accounts.policy
    let isOn =
      switch provider {
      case .password: policy.allowsPasswords
      case .anonymous: policy.anonymous.admits(request, behindProxy: isBehindProxy)
      case .apiKey: policy.allowsAPIKeys
      case .customToken: !accounts.providers.isEmpty
      case .nickname: policy.nicknames.admits(request, behindProxy: isBehindProxy)
      case .function: !functionProviders.isEmpty
      }
    guard isOn else { throw .noProvider(provider.rawValue) }
  }

  /// The queue of a name: logins of one user keep their order, those of different users run side by side.
  func queue(of name: String) -> SerialQueue {
    .passwords(name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % max(1, passwordQueues))
  }
}

extension LoginBody {
  init(_ tokens: Accounts.Tokens) {
    self.init(
      access_token: tokens.access, refresh_token: tokens.refresh, user_id: tokens.user.rawValue,
      device_id: tokens.device)
  }
}

import Transport

extension HTTPAPI {
  /// Attaches another identity to the user who is logged in: a name with its password, or one that another system proves, by
  /// the name of its provider. Switched-off providers link nothing.
  ///
  /// - Throws: ``APIError`` for refusals that are decided on the loop; later ones are answered.
  func link(_ request: RoutedRequest, _ responder: any HTTPResponder) throws(APIError) {
    let (http, provider, accounts) = (request.http, request[.provider], accounts)
    if let function = functionProviders.first(where: { $0.name == provider }) {
      return link(byFunction: function, request, responder)
    }
    let body = http.body.isEmpty ? LoginRequest() : try JSONAnswer.read(LoginRequest.self, from: http)
    let isNamed = accounts.providers.all.contains { $0.name == provider }
    switch isNamed ? .customToken : AuthProvider(rawValue: provider) {
    case .password:
      try checkProvider(.password, http)
      guard let name = body.username, let password = body.password else {
        throw APIError(400, .missingParameter, "the body needs 'username' and 'password'")
      }
      answerPassword(of: name, http, responder) {
        try Self.linked(request, accounts) { try accounts.link(name: name, password: password, to: $0) }
      }
    case .customToken:
      try checkProvider(.customToken, http)
      guard let token = body.token else { throw APIError(400, .missingParameter, "the body has no 'token'") }
      // The plain route takes the tokens of all providers.
      let name = provider == AuthProvider.customToken.rawValue ? nil : provider
      accounts.providers.prepare(for: token, named: name) { [self] in
        answer(.directory, responder) {
          try Self.linked(request, accounts) { try accounts.link(customToken: token, provider: name, to: $0) }
        }
      }
    case .anonymous, .apiKey, .nickname, .function, nil: throw .noProvider(provider)
    }
  }

  /// The operator's function is asked for bearers only.
  private func link(byFunction function: FunctionProvider, _ request: RoutedRequest, _ responder: any HTTPResponder) {
    let (http, accounts) = (request.http, accounts)
    checking(request, responder) {
      $0
    } then: { [self] (bearer: Bearer) in
      let document = http.body.isEmpty ? Array("{}".utf8) : http.body
      do throws(APIError) {
        try ask(function, document, app: bearer.app, http, responder) { foreign in
          JSONAnswer.response(200, SessionBody(access_token: try accounts.link(foreign, to: bearer)))
        } refusal: { error in
          // 401 would say that the bearer's own token is bad.
          JSONAnswer.refusal(error.status == 401 ? APIError(400, error.code, error.message) : error)
        }
      } catch {
        responder.respond(JSONAnswer.refusal(error))
      }
    }
  }

  /// The answer of a linking, for the bearer of a request. Blocks.
  private static func linked(
    _ request: RoutedRequest, _ accounts: Accounts, _ link: (Bearer) throws -> String
  ) throws -> HTTPResponse {
    let bearer = try bearer(of: request, accounts)
    return JSONAnswer.response(200, SessionBody(access_token: try link(bearer)))
  }
}

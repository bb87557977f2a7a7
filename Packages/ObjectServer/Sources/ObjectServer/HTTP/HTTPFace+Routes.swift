import Permissions
import Transport

extension HTTPFace {
  /// Serves a route. What it asks of its caller stands in ``RouteAccess``.
  func serve(_ route: Route, _ request: HTTPRequest, _ responder: any HTTPResponder) throws(APIError) {
    switch route {
    // Open to all.
    case .health: responder.respond(JSONAnswer.response(200, HealthBody(status: "ok", version: version)))
    case .ready: respondReady(responder)
    case .metrics:
      try checkMetricsAccess(request)
      responder.respond(metricsResponse())
    case .preflight: responder.respond(Self.preflight)
    case .location: responder.respond(location(for: request))
    case .callFunction: throw Self.functionRefusal(request)
    case .registerForPush: throw APIError(404, "ServiceNotFound", "this server sends no push notifications")
    // Proven by the body.
    case .register(let app): try register(request, app: app, responder)
    case .mail(let words): throw try Self.mailRefusal(words, request)
    case .logIn(let app, let provider): try logIn(request, app: app, provider: provider, responder)
    case .legacyLogin: logInLegacy(request, responder)
    case .legacyRevoke: revokeLegacy(request, responder)
    // Opened by a refresh token.
    case .refresh:
      answerLogin(route, request, responder) { accounts, bearer in
        JSONAnswer.response(201, SessionBody(access_token: try accounts.accessToken(bearer.user, bearer.login)))
      }
    case .logOut:
      answerLogin(route, request, responder) { [self] accounts, bearer in
        try accounts.directory.endLogin(bearer.login.id)
        tellEnded([bearer.login.id])
        return JSONAnswer.empty(204)
      }
    case .apiKeys: answerLogin(route, request, responder) { try Self.apiKeys($0, $1) }
    case .createAPIKey: answerLogin(route, request, responder) { try Self.createAPIKey(request, $0, $1) }
    case .apiKey(let id):
      answerLogin(route, request, responder) { accounts, bearer in
        JSONAnswer.response(200, APIKeyBody(try accounts.apiKey(id, of: bearer.user.id)))
      }
    case .deleteAPIKey(let id):
      answerLogin(route, request, responder) { [self] accounts, bearer in
        tellEnded(try accounts.deleteAPIKey(id, of: bearer.user.id))
        return JSONAnswer.empty(204)
      }
    case .enableAPIKey(let id, let enabled):
      answerLogin(route, request, responder) { [self] accounts, bearer in
        tellEnded(try accounts.setAPIKey(id, of: bearer.user.id, enabled: enabled))
        return JSONAnswer.empty(204)
      }
    // Opened by an access token.
    case .link(_, let provider): try link(route, request, provider: provider, responder)
    case .profile: answerBearer(route, request, responder) { try Self.profile(of: $1, $0) }
    case .deleteUser:
      answerBearer(route, request, responder) { [self] accounts, bearer in
        tellEnded(try accounts.directory.deleteUser(bearer.user))
        return JSONAnswer.empty(204)
      }
    case .changePassword:
      answerBearer(route, request, responder, on: .passwords(0)) { [self] in try changePassword(request, $0, by: $1) }
    case .realms: answerBearer(route, request, responder) { try Self.realms($0, of: $1) }
    case .account(let provider, let name):
      answerBearer(route, request, responder) { accounts, _ in
        guard let identity = try accounts.directory.identity(provider: provider, name: name) else {
          throw APIError.userNotFound
        }
        return JSONAnswer.response(200, AccountBody(userId: identity.user.rawValue))
      }
    case .permissions: answerBearer(route, request, responder) { [sharing] _, bearer in try sharing.grants(by: bearer) }
    case .realmPermissions:
      answerBearer(route, request, responder) { [sharing] _, bearer in try sharing.realmGrants(request, by: bearer) }
    case .applyPermission:
      answerBearer(route, request, responder) { [self] _, bearer in
        try countingNames(request, tells: .userNotFound) {
          let (response, changed) = try sharing.apply(request, by: bearer)
          tellChanged(changed)
          return response
        }
      }
    case .offers: answerBearer(route, request, responder) { [sharing] _, bearer in try sharing.offers(by: bearer) }
    case .createOffer:
      answerBearer(route, request, responder) { [sharing] _, bearer in try sharing.createOffer(request, by: bearer) }
    case .acceptOffer(let token):
      answerBearer(route, request, responder) { [self] _, bearer in
        let (response, changed) = try sharing.accept(token, by: bearer)
        tellChanged(changed)
        return response
      }
    case .deleteOffer(let token):
      answerBearer(route, request, responder) { [sharing] _, bearer in
        try sharing.deleteOffer(token, by: bearer)
        return JSONAnswer.empty(204)
      }
    case .deleteRealm, .renameRealm: changeRealm(route, request, responder)
    }
  }
}

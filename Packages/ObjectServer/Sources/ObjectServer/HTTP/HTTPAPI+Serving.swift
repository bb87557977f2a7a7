import Permissions
import Transport

extension HTTPAPI {
  /// Serves a route. ``Route/access`` says what each asks of its caller.
  ///
  /// - Throws: ``APIError`` for refusals that are decided on the loop; later ones are answered.
  func serve(_ request: RoutedRequest, _ responder: any HTTPResponder) throws(APIError) {
    let http = request.http
    switch request.route {
    case .health: responder.respond(JSONAnswer.response(200, HealthBody(status: "ok", version: version)))
    case .ready: respondReady(responder)
    case .metrics:
      try checkMetricsAccess(http)
      responder.respond(metricsResponse())
    case .preflight: responder.respond(Self.preflight)
    case .location: responder.respond(location(for: http))
    case .callFunction: throw Self.functionRefusal(http)
    case .registerForPush: throw APIError(404, .serviceNotFound, "this server sends no push notifications")
    case .register: try register(http, app: request[.app], responder)
    case .mail:
      guard let mail else { throw try Self.mailRefusal(request) }
      try answerMail(request, mail, responder)
    case .logIn: try logIn(http, app: request[.app], provider: request[.provider], responder)
    case .link: try link(request, responder)
    case .legacyLogin: logInLegacy(http, responder)
    case .legacyRevoke: revokeLegacy(http, responder)
    case .refresh: answerLogin(request, responder) { try Self.refresh(http, $0, $1) }
    case .logOut: answerLogin(request, responder) { try Self.logOut($0, $1) }
    case .apiKeys: answerLogin(request, responder) { try Self.apiKeys($0, $1) }
    case .createAPIKey: answerLogin(request, responder) { try Self.createAPIKey(http, $0, $1) }
    case .apiKey: answerLogin(request, responder) { try Self.apiKey(request[.id], $0, $1) }
    case .deleteAPIKey: answerLogin(request, responder) { try Self.deleteAPIKey(request[.id], $0, $1) }
    case .enableAPIKey: answerLogin(request, responder) { try Self.setAPIKey(request[.id], enabled: true, $0, $1) }
    case .disableAPIKey:
      answerLogin(request, responder) { try Self.setAPIKey(request[.id], enabled: false, $0, $1) }
    case .profile: answerBearer(request, responder) { try Self.profile(of: $1, $0) }
    case .deleteUser: answerBearer(request, responder) { try Self.deleteUser($0, $1) }
    case .changePassword:
      answerBearer(request, responder, in: .passwords(0)) { [self] in
        try changePassword(http, $0, by: $1)
      }
    case .account:
      answerBearer(request, responder) { accounts, _ in
        try Self.account(provider: request[.provider], name: request[.name], accounts)
      }
    case .legacyAccount:
      answerBearer(request, responder) { accounts, _ in
        let provider = request[.provider] == "password" ? AuthProvider.password.rawValue : request[.provider]
        return try Self.account(provider: provider, name: request[.name], accounts)
      }
    case .realms: answerBearer(request, responder) { try Self.realms($0, of: $1) }
    case .realmUsers: realmUsers(request, responder)
    case .deleteRealm: deleteRealm(request, responder)
    case .renameRealm: renameRealm(request, responder)
    case .explain: explain(request, responder)
    case .permissions: answerBearer(request, responder) { [sharing] in try sharing.grants(by: $1) }
    case .realmPermissions: answerBearer(request, responder) { [sharing] in try sharing.realmGrants(http, by: $1) }
    case .givenPermissions: answerBearer(request, responder) { [sharing] in try sharing.givenGrants(by: $1) }
    case .explainPermission: answerBearer(request, responder) { [self] in try explainPermission(http, by: $1) }
    case .applyPermission: answerBearer(request, responder) { [self] in try applyPermission(http, by: $1) }
    case .offers: answerBearer(request, responder) { [sharing] in try sharing.offers(by: $1) }
    case .createOffer: answerBearer(request, responder) { [sharing] in try sharing.createOffer(http, by: $1) }
    case .acceptOffer: answerBearer(request, responder) { [sharing] in try sharing.accept(request[.token], by: $1) }
    case .graphQL: graphQL(request, responder)
    case .graphQLSchema: graphQLSchema(request, responder)
    case .graphQLExplorer: responder.respond(graphQL == nil ? JSONAnswer.refusal(.noGraphQL) : ExplorerPage.response)
    case .clearGraphQLSchema: clearGraphQLSchema(request, responder)
    case .deleteOffer: answerBearer(request, responder) { [sharing] in try sharing.withdraw(request[.token], by: $1) }
    }
  }
}

import AccessTokens
import Foundation
import Permissions
import Telemetry
import Transport

/// The providers of the login call of servers before the client API.
enum LegacyProvider: String {
  case password, anonymous, jwt, nickname, realm

  /// The provider of the client API; nil for a refresh token.
  var provider: AuthProvider? {
    switch self {
    case .password: .password
    case .anonymous: .anonymous
    case .jwt: .customToken
    case .nickname: .nickname
    case .realm: nil
    }
  }
}

/// The body of that call.
struct LegacyLoginRequest: Decodable {
  struct UserInfo: Decodable {
    var password: String?
    var register: Bool?
    var is_admin: Bool?
  }
  var provider: String
  var data: String?
  var app_id: String?
  var path: String?
  var user_info: UserInfo?
}

struct LegacyTokenBody: Encodable {
  struct Token: Encodable {
    struct Facts: Encodable {
      var app_id: String
      var identity: String
      var access: [String]
      /// Seconds since 1970.
      var expires: Int64
      var path: String?
      var is_admin: Bool?
    }
    var token: String
    var token_data: Facts
  }
  var refresh_token: Token?
  var access_token: Token?
}

struct LegacyErrorBody: Encodable {
  var title: String
  var status: Int
  var code: Int
}

struct LegacyRevokeRequest: Decodable {
  var token: String
}

extension HTTPAPI {
  /// `POST /auth`: logs a user in for a refresh token, or buys an access token for one realm.
  func logInLegacy(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    let body: LegacyLoginRequest
    let mayMakeUser: Bool
    do throws(APIError) {
      body = try JSONAnswer.read(LegacyLoginRequest.self, from: request)
      let provider = LegacyProvider(rawValue: body.provider)
      if let known = provider?.provider { try checkProvider(known, request) }
      if body.user_info?.register == true { try checkRegistration(request) }
      mayMakeUser = provider == .anonymous || provider == .nickname || body.user_info?.register == true
      if mayMakeUser { try checkNewUsers(request) }
    } catch {
      return responder.respond(Self.legacyRefusal(error))
    }
    let (accounts, sharing) = (accounts, sharing)
    let work: @Sendable () throws -> HTTPResponse = { [self] in
      if mayMakeUser { try countNewUser(request) }
      let tokens = { JSONAnswer.response(200, try Self.legacyTokens(body, accounts, sharing)) }
      guard body.user_info?.register != true else {
        return try countingNames(request, tells: .nameTaken, tokens)
      }
      guard body.provider != "password" else { return try tokens() }
      return try reportingRefusals(of: body.provider, Self.network(of: request), tokens)
    }
    guard body.provider == "password" else { return logInLegacy(body, work, request, responder) }
    answerPassword(of: body.data ?? "", request, responder, refusal: Self.legacyRefusal, work)
  }

  /// Providers whose proof is looked up elsewhere first: other systems, by the name of one or as `jwt`, and functions.
  private func logInLegacy(
    _ body: LegacyLoginRequest, _ work: @escaping @Sendable () throws -> HTTPResponse, _ request: HTTPRequest,
    _ responder: any HTTPResponder
  ) {
    if let function = functionProviders.first(where: { $0.name == body.provider }) {
      do throws(APIError) {
        let app = body.app_id ?? ""
        try logIn(
          byFunction: function, request.body, app: app, request, responder,
          { JSONAnswer.response(200, Self.refreshToken($0, app)) }, refusal: Self.legacyRefusal)
      } catch {
        responder.respond(Self.legacyRefusal(error))
      }
      return
    }
    let isNamed = accounts.providers.all.contains { $0.name == body.provider }
    guard isNamed || body.provider == LegacyProvider.jwt.rawValue, let token = body.data else {
      return answer(.directory, responder, refusal: Self.legacyRefusal, work)
    }
    accounts.providers.prepare(for: token, named: isNamed ? body.provider : nil) { [self] in
      answer(.directory, responder, refusal: Self.legacyRefusal, work)
    }
  }

  private static func legacyTokens(
    _ body: LegacyLoginRequest, _ accounts: Accounts, _ sharing: Sharing
  ) throws -> LegacyTokenBody {
    let app = body.app_id ?? ""
    guard let data = body.data ?? (body.provider == "anonymous" ? "" : nil) else {
      throw APIError(400, .missingParameter, "the body has no 'data'")
    }
    if accounts.providers.all.contains(where: { $0.name == body.provider }) {
      return refreshToken(try accounts.logIn(customToken: data, app: app, provider: body.provider), app)
    }
    switch LegacyProvider(rawValue: body.provider) {
    case .password:
      guard let password = body.user_info?.password else {
        throw APIError(400, .missingParameter, "the body needs 'user_info' with 'password'")
      }
      if body.user_info?.register == true {
        try accounts.registerByRequest(name: data, password: password)
      }
      return refreshToken(try accounts.logIn(name: data, password: password, app: app), app)
    case .anonymous: return refreshToken(try accounts.logInAnonymously(app: app), app)
    case .jwt: return refreshToken(try accounts.logIn(customToken: data, app: app), app)
    case .nickname:
      return refreshToken(
        try accounts.logIn(nickname: data, isAdministrator: body.user_info?.is_admin ?? false, app: app), app)
    case .realm:
      let (login, user) = try accounts.login(refreshToken: data)
      guard let text = body.path else { throw APIError(400, .missingParameter, "the body has no 'path'") }
      guard let named = try? RealmPath(text, for: user.id) else {
        throw APIError(403, .permissionDenied, "the path is none of this user's")
      }
      let path = try accounts.directory.renamedPath(of: named) ?? named
      let subject = AccessSubject(user: user.id, isAdministrator: user.isAdministrator)
      let decision = sharing.rules.decide(subject, wants: .read, of: try accounts.directory.facts(of: path))
      guard decision.isAllowed else { throw APIError.denied(decision.explanation) }
      let expires = min(accounts.now + accounts.policy.accessTokenLifetime, login.expiresAt)
      let claims = TokenClaims(
        kind: .access, user: user.id, app: app, login: login.id, issuedAt: accounts.now, expiresAt: expires,
        isAdministrator: user.isAdministrator, path: path.description, level: decision.level)
      let names = ["download", "upload", "manage"].prefix(Int(clamping: decision.level.rawValue))
      let facts = LegacyTokenBody.Token.Facts(
        app_id: app, identity: user.id.rawValue, access: Array(names), expires: expires.secondsSince1970,
        path: path.description)
      return LegacyTokenBody(access_token: .init(token: try accounts.issuer.sign(claims), token_data: facts))
    case nil:
      throw APIError(
        400, .invalidParameter,
        "the provider is password, jwt, anonymous, nickname, realm, or one that the server names")
    }
  }

  private static func refreshToken(_ tokens: Accounts.Tokens, _ app: String) -> LegacyTokenBody {
    let facts = LegacyTokenBody.Token.Facts(
      app_id: app, identity: tokens.user.rawValue, access: ["refresh"],
      expires: tokens.refreshExpiresAt.secondsSince1970, is_admin: tokens.isAdministrator)
    return LegacyTokenBody(refresh_token: .init(token: tokens.refresh, token_data: facts))
  }

  /// `POST /auth/revoke`: ends the login whose refresh token stands in the body.
  func revokeLegacy(_ request: HTTPRequest, _ responder: any HTTPResponder) {
    let accounts = accounts
    answer(.directory, responder) {
      let text = try JSONAnswer.read(LegacyRevokeRequest.self, from: request).token
      let (login, _) = try accounts.login(refreshToken: text)
      try accounts.directory.endLogin(login.id)
      return JSONAnswer.response(200, [String: String]())
    }
  }

  /// Refusals as those servers told them, by number.
  @Sendable private static func legacyRefusal(_ error: APIError) -> HTTPResponse {
    let code =
      switch error.code {
      case .missingParameter: 602
      case .invalidPassword, .authError, .authProviderNotFound: 611
      case .userNotFound: 612
      case .accountNameInUse: 613
      case .permissionDenied: 614
      case .invalidSession, .userDisabled: 615
      case .invalidParameter, .badRequest, .apiKeyAlreadyExists, .apiKeyNotFound, .fellBehind, .functionNotFound,
        .internalServerError, .methodNotAllowed, .missingAuthReq, .notFound, .notServed, .offerUnusable, .realmConflict,
        .serviceNotFound, .tooManyAttempts, .userAlreadyConfirmed, .userpassTokenInvalid:
        601
      }
    return JSONAnswer.response(error.status, LegacyErrorBody(title: error.message, status: error.status, code: code))
  }
}

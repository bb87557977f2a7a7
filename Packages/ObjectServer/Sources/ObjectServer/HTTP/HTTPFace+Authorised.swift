import Permissions
import Telemetry
import Transport

extension HTTPFace {
  /// Serves a route that needs a bearer token.
  func callAuthorised(_ route: Route, _ request: HTTPRequest, _ responder: any HTTPResponder) {
    let (accounts, sharing, events, scheduler) = (accounts, sharing, events, desk.scheduler)
    let lane: WorkLane = route == .changePassword ? .passwords(0) : .directory
    answer(lane, responder) {
      let token = try Self.token(of: request)
      switch route {
      case .refresh: return JSONAnswer.response(201, SessionBody(access_token: try accounts.refresh(token)))
      case .logOut:
        let (login, _) = try accounts.login(refreshToken: token)
        try accounts.directory.endLogin(login.id)
        scheduler.executeNowOrSoon { events.loginsEnded([login.id]) }
        return JSONAnswer.empty(204)
      case .legacyRevoke: return try Self.revokeLegacy(request, accounts, events, scheduler)
      case .apiKeys, .createAPIKey, .apiKey, .deleteAPIKey, .enableAPIKey:
        return try Self.serveKeys(route, request, user: try accounts.login(refreshToken: token).1.id, accounts) {
          ended in
          scheduler.executeNowOrSoon { events.loginsEnded(ended) }
        }
      default: break
      }
      let bearer = try Self.bearer(token, accounts)
      switch route {
      case .profile: return JSONAnswer.response(200, try Self.profile(of: bearer, accounts))
      case .deleteUser:
        let ended = try accounts.directory.deleteUser(bearer.user)
        scheduler.executeNowOrSoon { events.loginsEnded(ended) }
        return JSONAnswer.empty(204)
      case .changePassword:
        let body = try JSONAnswer.read(PasswordRequest.self, from: request)
        guard let password = body.password ?? body.data?.new_password else {
          throw APIError(400, "MissingParameter", "the body has no 'password'")
        }
        let ended = try accounts.changePassword(
          to: password, by: bearer, of: (body.userId ?? body.user_id).map { UserId($0) },
          keepsKeys: body.keepAPIKeys ?? false)
        scheduler.executeNowOrSoon { events.loginsEnded(ended) }
        return JSONAnswer.empty(204)
      case .realms:
        let paths =
          bearer.subject.isAdministrator
          ? try accounts.directory.allRealms() : try accounts.directory.realms(in: bearer.user)
        return JSONAnswer.response(
          200, RealmsBody(realms: paths.map { .init(path: $0.description, owner: $0.owner?.rawValue) }))
      case .account(let provider, let name):
        guard bearer.subject.isAdministrator else { throw APIError.denied("only an administrator can look up users") }
        guard let identity = try accounts.directory.identity(provider: provider, name: name) else {
          throw APIError.userNotFound
        }
        return JSONAnswer.response(200, AccountBody(userId: identity.user.rawValue))
      default:
        let (response, changed) = try sharing.serve(route, request, by: bearer)
        if !changed.isEmpty { scheduler.executeNowOrSoon { events.grantsChanged(changed) } }
        return response
      }
    }
  }

  static func token(of request: HTTPRequest) throws(APIError) -> String {
    guard let header = request.headers["Authorization"] else { throw .noBearer }
    return header.hasPrefix("Bearer ") ? String(header.dropFirst("Bearer ".count)) : header
  }

  static func bearer(_ token: String, _ accounts: Accounts) throws -> Bearer {
    do {
      return try accounts.bearer(accessToken: token)
    } catch Accounts.TokenRefusal.expired {
      throw APIError(401, "InvalidSession", "invalid session: the access token has expired")
    } catch Accounts.TokenRefusal.refused(let reason) {
      throw APIError(401, "InvalidSession", "invalid session: \(reason)")
    }
  }

  private static func profile(of bearer: Bearer, _ accounts: Accounts) throws -> ProfileBody {
    let identities = try accounts.directory.identities(of: bearer.user)
    var data: [String: String] = [:]
    data["email"] = identities.first { $0.provider == Accounts.passwordProvider }?.name
    return ProfileBody(
      user_id: bearer.user.rawValue,
      identities: identities.map { ProfileBody.Identity(id: $0.name, provider_type: $0.provider) }, data: data)
  }
}

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
      default: break
      }
      let bearer = try Self.bearer(token, accounts)
      switch route {
      case .profile: return JSONAnswer.response(200, try Self.profile(of: bearer, accounts))
      case .deleteUser:
        let ended = try accounts.directory.endLogins(of: bearer.user, except: nil)
        try accounts.directory.deleteUser(bearer.user)
        scheduler.executeNowOrSoon { events.loginsEnded(ended) }
        return JSONAnswer.empty(204)
      case .changePassword:
        let body = try JSONAnswer.read(PasswordRequest.self, from: request)
        let ended = try accounts.changePassword(
          to: body.password, by: bearer, of: body.userId.map { UserId($0) })
        scheduler.executeNowOrSoon { events.loginsEnded(ended) }
        return JSONAnswer.empty(204)
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

  private static func token(of request: HTTPRequest) throws(APIError) -> String {
    guard let header = request.headers["Authorization"] else { throw .noBearer }
    return header.hasPrefix("Bearer ") ? String(header.dropFirst("Bearer ".count)) : header
  }

  private static func bearer(_ token: String, _ accounts: Accounts) throws -> Bearer {
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

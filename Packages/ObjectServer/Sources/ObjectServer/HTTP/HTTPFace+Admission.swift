import Concurrency
import Permissions
import Telemetry
import Transport

/// A login, shown by its refresh token.
struct LoginBearer: Sendable {
  var login: LoginRecord
  var user: UserRecord
}

extension HTTPFace {
  /// Answers a route that a refresh token opens, off the loop.
  func answerLogin(
    _ route: Route, _ request: HTTPRequest, _ responder: any HTTPResponder,
    _ work: @escaping @Sendable (Accounts, LoginBearer) throws -> HTTPResponse
  ) {
    let accounts = accounts
    answer(.directory, responder) {
      guard RouteAccess.of(route) == .login else { throw APIError.storage }
      let (login, user) = try accounts.login(refreshToken: try Self.token(of: request))
      return try work(accounts, LoginBearer(login: login, user: user))
    }
  }

  /// Answers a route that an access token opens, off the loop.
  func answerBearer(
    _ route: Route, _ request: HTTPRequest, _ responder: any HTTPResponder, on queue: SerialQueue = .directory,
    _ work: @escaping @Sendable (Accounts, Bearer) throws -> HTTPResponse
  ) {
    let accounts = accounts
    answer(queue, responder) { try work(accounts, try Self.bearer(of: request, for: route, accounts)) }
  }

  /// Who bears the access token of a request, if it is enough for the route.
  ///
  /// - Throws: ``APIError`` with 401 or 403; ``ServerError`` when the directory cannot be read.
  static func bearer(of request: HTTPRequest, for route: Route, _ accounts: Accounts) throws -> Bearer {
    let bearer: Bearer
    do {
      bearer = try accounts.bearer(accessToken: try token(of: request))
    } catch Accounts.TokenRefusal.expired {
      throw APIError(401, "InvalidSession", "invalid session: the access token has expired")
    } catch Accounts.TokenRefusal.refused(let reason) {
      throw APIError(401, "InvalidSession", "invalid session: \(reason)")
    }
    try RouteAccess.of(route).check(bearer)
    return bearer
  }

  private static func token(of request: HTTPRequest) throws(APIError) -> String {
    guard let header = request.headers["Authorization"] else { throw .noBearer }
    return header.hasPrefix("Bearer ") ? String(header.dropFirst("Bearer ".count)) : header
  }

  /// Tells the rest of the server, from any thread, that logins have ended.
  func tellEnded(_ logins: [String]) {
    guard !logins.isEmpty else { return }
    let events = events
    context.scheduler.executeNowOrSoon { events.loginsEnded(logins) }
  }

  /// Tells the rest of the server, from any thread, that the grants on realms changed.
  func tellChanged(_ paths: [RealmPath]) {
    guard !paths.isEmpty else { return }
    let events = events
    context.scheduler.executeNowOrSoon { events.grantsChanged(paths) }
  }
}

import Concurrency
import Permissions
import Telemetry
import Transport

/// A login with its user, proven by a refresh token.
struct LoginBearer: Sendable {
  var login: LoginRecord
  var user: UserRecord
}

extension HTTPAPI {
  /// Answers a route that asks for a refresh token, on the executor.
  func answerLogin(
    _ request: RoutedRequest, _ responder: any HTTPResponder,
    _ work: @escaping @Sendable (Accounts, LoginBearer) throws -> HTTPResponse
  ) {
    let accounts = accounts
    answer(.directory, responder) {
      guard request.route.access == .login else { throw APIError.storage }
      let (login, user) = try accounts.login(refreshToken: try Self.token(of: request.http))
      return try work(accounts, LoginBearer(login: login, user: user))
    }
  }

  /// Answers a route that asks for an access token, on the executor.
  func answerBearer(
    _ request: RoutedRequest, _ responder: any HTTPResponder, in queue: SerialQueue = .directory,
    _ work: @escaping @Sendable (Accounts, Bearer) throws -> HTTPResponse
  ) {
    let accounts = accounts
    answer(queue, responder) { try work(accounts, try Self.bearer(of: request, accounts)) }
  }

  /// The bearer of a request's access token, if the token is enough for the route. Blocks.
  ///
  /// - Throws: ``APIError`` with 401 or 403; ``ServerError`` when the directory cannot be read.
  static func bearer(of request: RoutedRequest, _ accounts: Accounts) throws -> Bearer {
    try bearer(of: request.http, asking: request.route.access, accounts)
  }

  /// The bearer of a request's access token, if the token is of the required kind. Blocks.
  ///
  /// - Throws: ``APIError`` with 401 or 403; ``ServerError`` when the directory cannot be read.
  static func bearer(of request: HTTPRequest, asking required: RequiredBearer, _ accounts: Accounts) throws -> Bearer {
    let bearer: Bearer
    do {
      if request.headers["Authorization"] == nil, let cookie = StudioLogin.token(of: request) {
        bearer = try StudioLogin.bearer(of: request, cookie: cookie, accounts)
      } else {
        bearer = try accounts.bearer(accessToken: try token(of: request))
      }
    } catch Accounts.TokenRefusal.expired {
      throw APIError(401, .invalidSession, "invalid session: the access token has expired")
    } catch Accounts.TokenRefusal.refused(let reason) {
      throw APIError(401, .invalidSession, "invalid session: \(reason)")
    }
    try required.check(bearer)
    return bearer
  }

  static func token(of request: HTTPRequest) throws(APIError) -> String {
    guard let token = bearerText(of: request) else { throw .noBearer }
    return token
  }

  /// The token that a request shows, unchecked; nil when it shows none.
  static func bearerText(of request: HTTPRequest) -> String? {
    request.headers["Authorization"].map { header in
      header.hasPrefix("Bearer ") ? String(header.dropFirst("Bearer ".count)) : header
    }
  }
}

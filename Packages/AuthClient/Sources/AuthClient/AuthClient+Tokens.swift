import AccessTokens
public import Permissions
import Telemetry
import Transport

extension AuthClient {
  /// A valid access token for a user: the stored one while it is fresh, a new one otherwise.
  ///
  /// - Throws: ``AuthError/Code/notLoggedIn``; ``AuthError/Code/loginEnded`` when the user must log in again;
  ///   ``AuthError/Code/unreachable``
  public func accessToken(of id: UserId) async throws -> String {
    guard let user = bearer(id) else { throw AuthError.notLoggedIn }
    if let token = user.accessToken, user.refreshToken == nil || user.hasFreshToken(at: clock.wallTime) {
      return token.unredacted
    }
    return try await refresh(id)
  }

  /// Gets a new access token from the server and stores it.
  ///
  /// - Returns: the token.
  /// - Throws: as ``accessToken(of:)``, and ``AuthError/Code/storage``
  @discardableResult
  public func refresh(_ id: UserId) async throws -> String {
    guard let token = try presentBearer(id)?.refreshToken else { throw AuthError.notLoggedIn }
    return try store(try await send(Self.refreshCall, bearer: token.unredacted), of: id)
  }

  /// The form of ``refresh(_:)`` for code on the network's loop: `completion` is called there, once, never before this
  /// call returns.
  public func refresh(_ id: UserId, completion: @escaping @Sendable (Result<String, AuthError>) -> Void) {
    guard let token = (try? presentBearer(id))?.refreshToken else {
      return network.scheduler.execute { completion(.failure(.notLoggedIn)) }
    }
    network.send(request(Self.refreshCall, bearer: token.unredacted)) { [self] result in
      completion(
        Result { () throws(AuthError) in
          switch result {
          case .failure(let error): throw AuthError.unreachable(server, error)
          case .success(let response): return try store(Self.refreshCall.answer(response), of: id)
          }
        })
    }
  }

  private static let refreshCall = AuthCall<SessionAnswer>(
    "POST", "/api/client/v2.0/auth/session", authorisation: .refresh, body: RefreshBody())

  /// Stores the tokens of an answer, unless the user has logged out in the meantime.
  ///
  /// - Returns: the access token.
  @discardableResult
  func store(_ answer: SessionAnswer, of id: UserId) throws(AuthError) -> String {
    guard var user = bearer(id) else { throw AuthError.notLoggedIn }
    guard let claims = try? TokenVerifier.readWithoutVerification(answer.access_token) else {
      throw AuthError.badResponse("its access token cannot be read", status: 200)
    }
    user.accessToken = Redacted(answer.access_token)
    // Servers that rotate refresh tokens send the next one along.
    if let next = answer.refresh_token { user.refreshToken = Redacted(next) }
    user.isAdministrator = claims.isAdministrator
    try renew(user)
    return answer.access_token
  }
}

public import Permissions
public import Transport

extension AuthClient {
  /// Sends a request to the server with the access token of a user: for calls of its administration API, and for routes of programs of
  /// one's own beside it. A token that is refused is renewed, and the request repeated once.
  ///
  /// - Parameters:
  ///   - target: path and query.
  ///   - timeout: the time for the request; that of the client unless given.
  /// - Returns: the answer, whatever its status.
  /// - Throws: ``AuthError/Code/notLoggedIn``, ``AuthError/Code/loginEnded``, ``AuthError/Code/unreachable``
  public func response(
    _ method: String, _ target: String, body: [UInt8] = [], timeout: Duration? = nil,
    maximumResponseBytes: Int = 64 << 20, by id: UserId
  ) async throws -> HTTPResponse {
    let call = AuthCall<HTTPResponse>(method: method, path: target, body: body, authorisation: .access) {
      response throws(AuthError) in response
    }
    let response = try await answer(call, timeout, maximumResponseBytes, bearer: try await accessToken(of: id))
    guard response.status == 401, bearer(id)?.refreshToken != nil else { return response }
    return try await answer(call, timeout, maximumResponseBytes, bearer: try await refresh(id))
  }

  private func answer(
    _ call: AuthCall<HTTPResponse>, _ timeout: Duration?, _ maximumResponseBytes: Int, bearer: String
  ) async throws -> HTTPResponse {
    var request = request(call, bearer: bearer)
    if let timeout { request.timeout = timeout }
    request.maximumResponseBytes = maximumResponseBytes
    do { return try await network.response(to: request) } catch let error as TransportError {
      throw AuthError.unreachable(server, error)
    }
  }
}

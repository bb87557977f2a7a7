import Permissions
import Telemetry
import Transport

extension AuthClient {
  /// The path of a call that names the app.
  func appPath(_ rest: String) -> String { "/api/client/v2.0/app/\(PercentCoding.encoded(app))/\(rest)" }

  /// Sends a call, with a token if one is given.
  func send<Answer>(_ call: AuthCall<Answer>, bearer: String? = nil) async throws -> Answer {
    let response: HTTPResponse
    do {
      response = try await network.response(to: request(call, bearer: bearer))
    } catch let error as TransportError {
      throw AuthError.unreachable(server, error)
    }
    return try call.answer(response)
  }

  /// Sends a call for a user with the token that it needs. When the server refuses the access token, gets a new one and
  /// repeats the call once.
  func send<Answer>(_ call: AuthCall<Answer>, by id: UserId) async throws -> Answer {
    guard call.authorisation == .access else {
      guard let token = bearer(id)?.refreshToken else { throw AuthError.notLoggedIn }
      return try await send(call, bearer: token.unredacted)
    }
    let token = try await accessToken(of: id)
    do {
      return try await send(call, bearer: token)
    } catch let error as AuthError where error.status == 401 && bearer(id)?.refreshToken != nil {
      return try await send(call, bearer: try await refresh(id))
    }
  }
}

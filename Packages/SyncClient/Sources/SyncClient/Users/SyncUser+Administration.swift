import AuthClient
public import Foundation
public import Transport

extension SyncUser {
  /// Sends a request to the user's server, with the user's access token: for the administration API, as an administrator.
  ///
  ///     let answer = try await admin.response("GET", "/api/openrealm/v1/admin/realms")
  ///
  /// - Parameters:
  ///   - target: path and query.
  ///   - timeout: the time for the request; the request timeout of the client unless given.
  /// - Returns: the answer, whatever its status.
  /// - Throws: ``SyncAuthError`` when the user is not logged in any more, or the server cannot be reached.
  public func response(
    _ method: String, _ target: String, body: [UInt8] = [], timeout: Duration? = nil,
    maximumResponseBytes: Int = 64 << 20
  ) async throws -> HTTPResponse {
    do {
      return try await auth.response(
        method, target, body: body, timeout: timeout, maximumResponseBytes: maximumResponseBytes, by: userId)
    } catch let error as AuthError {
      throw SyncAuthError(error)
    }
  }

  /// Whether a URL is one of the user's server: of its host and port, whatever the scheme.
  public func isOnServer(_ url: URL) -> Bool {
    guard let address = try? NetworkURL(url.absoluteString) else { return false }
    return address.authority == auth.server.authority
  }
}

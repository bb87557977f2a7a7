public import Permissions
import Transport

/// Calls to what an app has on its server besides users and realms. Servers of this platform refuse them.
extension AuthClient {
  /// Calls a function.
  ///
  /// - Parameter body: a JSON object with `name` and `arguments`.
  /// - Returns: the answer, JSON.
  /// - Throws: ``AuthError/Code/functionNotFound``, ``AuthError/Code/loginEnded``, ``AuthError/Code/unreachable``
  public func callFunction(body: [UInt8], by id: UserId) async throws -> [UInt8] {
    try await send(
      AuthCall<[UInt8]>(
        method: "POST", path: appPath("functions/call"), body: body, authorisation: .access
      ) { response throws(AuthError) in response.body }, by: id)
  }

  /// Registers the device of a user for push messages.
  ///
  /// - Parameters:
  ///   - service: the name of the service.
  ///   - body: a JSON object with `registrationToken`; nil to end the registration.
  /// - Throws: ``AuthError/Code/functionNotFound``, ``AuthError/Code/loginEnded``, ``AuthError/Code/unreachable``
  public func registerForPush(service: String, body: [UInt8]?, by id: UserId) async throws {
    let path = appPath("push/providers/\(PercentCoding.encoded(service))/registration")
    try await send(
      AuthCall<Void>(body == nil ? "DELETE" : "PUT", path, authorisation: .access, rawBody: body ?? []), by: id)
  }
}

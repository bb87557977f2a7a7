import Telemetry
import Transport

extension HTTPAPI {
  /// Runs work that logs a user in, and logs its refusal: the reason, the network, and the id of the user whom the name
  /// names. A name that nobody has is not logged, because people type passwords into the wrong field.
  ///
  /// - Parameters:
  ///   - provider: the way of logging in, as requests name it.
  ///   - name: the name in the request; nil for ways without one.
  /// - Throws: the errors of `work`.
  func reportingRefusals<Answer>(
    of provider: String, name: String? = nil, _ network: String, _ work: () throws -> Answer
  ) throws -> Answer {
    do {
      return try work()
    } catch let error as APIError where error.status < 500 {
      var fields: LogFields = ["provider": .string(provider), "address": .string(network)]
      let user = try? name.flatMap {
        try accounts.directory.identity(provider: AuthProvider.password.rawValue, name: $0)
      }?.user
      if let user { fields.append("user", .string(user.rawValue)) }
      let isWrong = error == .wrongPassword
      fields.append(
        "reason", .string(!isWrong ? error.message : user == nil ? "no user has this name" : "the password is wrong"))
      logger.warn("login refused", fields)
      throw error
    }
  }
}

import Permissions
import Transport

extension HTTPAPI {
  /// Explains which rule decides about a realm: for the bearer, or for another user when the bearer manages the realm.
  ///
  /// - Throws: ``APIError`` for a bad query, an unknown user or a missing right; ``ServerError``.
  func explainPermission(_ request: HTTPRequest, by bearer: Bearer) throws -> HTTPResponse {
    guard let text = request.queryItem("path") else {
      throw APIError(400, .missingParameter, "the query has no 'path'")
    }
    let wanted = try Sharing.level(request.queryItem("access") ?? "read")
    let isOperator = bearer.user == Accounts.administratorTokenUser
    let name = request.queryItem("user")
    guard isOperator || name != nil && name != bearer.user.rawValue else {
      let path: RealmPath
      do {
        path = try RealmPath(text, for: bearer.user)
      } catch {
        throw APIError(400, .invalidParameter, "\(error)")
      }
      return JSONAnswer.response(200, try sharing.explain(bearer.subject, at: path, wants: wanted))
    }
    let path = try sharing.managedPath(text, by: bearer)
    guard let name else { throw APIError(400, .missingParameter, "the query has no 'user'") }
    return try countingNames(request, tells: .userNotFound) {
      guard let user = try sharing.directory.user(named: name) else { throw APIError.userNotFound }
      let subject = AccessSubject(user: user.id, isAdministrator: user.isAdministrator)
      return JSONAnswer.response(200, try sharing.explain(subject, at: path, wants: wanted))
    }
  }
}

extension Sharing {
  /// The explanation of a decision about a path, which may be the earlier name of a realm.
  ///
  /// - Throws: ``ServerError`` when the directory cannot be read.
  func explain(
    _ subject: AccessSubject, at path: RealmPath, wants wanted: AccessLevel
  ) throws(ServerError) -> AccessExplanation {
    let present = try directory.renamedPath(of: path) ?? path
    return rules.explain(subject, wants: wanted, of: try directory.facts(of: present))
  }
}

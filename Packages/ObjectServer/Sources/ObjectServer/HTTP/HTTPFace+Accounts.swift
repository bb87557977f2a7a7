import Permissions
import Transport

extension HTTPFace {
  /// Who the bearer is, as stock clients read it.
  static func profile(of bearer: Bearer, _ accounts: Accounts) throws -> HTTPResponse {
    let identities = try accounts.directory.identities(of: bearer.user)
    var data: [String: String] = [:]
    data["email"] = identities.first { $0.provider == Accounts.passwordProvider }?.name
    return JSONAnswer.response(
      200,
      ProfileBody(
        user_id: bearer.user.rawValue,
        identities: identities.map { ProfileBody.Identity(id: $0.name, provider_type: $0.provider) }, data: data))
  }

  /// Changes the bearer's password, or that of the user whom an administrator names.
  func changePassword(_ request: HTTPRequest, _ accounts: Accounts, by bearer: Bearer) throws -> HTTPResponse {
    let body = try JSONAnswer.read(PasswordRequest.self, from: request)
    guard let password = body.password ?? body.data?.new_password else {
      throw APIError(400, "MissingParameter", "the body has no 'password'")
    }
    tellEnded(
      try accounts.changePassword(
        to: password, by: bearer, of: (body.userId ?? body.user_id).map { UserId($0) },
        keepsKeys: body.keepAPIKeys ?? false))
    return JSONAnswer.empty(204)
  }

  /// The realms in the bearer's folder; all for an administrator.
  static func realms(_ accounts: Accounts, of bearer: Bearer) throws -> HTTPResponse {
    let paths =
      bearer.subject.isAdministrator
      ? try accounts.directory.allRealms() : try accounts.directory.realms(in: bearer.user)
    return JSONAnswer.response(
      200, RealmsBody(realms: paths.map { .init(path: $0.description, owner: $0.owner?.rawValue) }))
  }
}

import ByteCoding
import Cryptography
import Permissions

extension AdminOperation {
  static let logins = [listLogins, endLogin, endLogins]
  static let keys = [listKeys, createKey, setKey, deleteKey]

  /// The name of a login or an offer in this API: their own are secrets, or parts of proofs.
  static func handle(_ secret: String) -> String { String(hexText(Digest.sha256.hash(Array(secret.utf8))).prefix(24)) }

  private static let loginSchema = AdminSchema.object([
    .init("id", .string(), "A name of the login for this API."), .init("app", .string()),
    .init("key", .string(), isRequired: false, "The API key that was shown."),
    .init("createdAt", .integer()), .init("expiresAt", .integer()),
  ])

  private static let listLogins = AdminOperation(
    name: "listLogins", method: "GET", path: "users/{user}/logins", summary: "The logins of a user, oldest first.",
    parameters: [userParameter], answer: .object([.init("logins", .array(loginSchema))]), refusals: [404],
    work: .blocking(.directory) { call in
      let logins = try call.services.directory.logins(of: try user(of: call).id)
      return .object([
        (
          "logins",
          .array(
            logins.map { login in
              .object(
                [("id", .string(handle(login.id))), ("app", .string(login.app))]
                  + (login.key.map { [("key", .string($0))] } ?? []) + [
                    ("createdAt", .integer(login.createdAt.millisecondsSince1970)),
                    ("expiresAt", .integer(login.expiresAt.millisecondsSince1970)),
                  ])
            })
        )
      ])
    })

  private static let endLogin = AdminOperation(
    name: "endLogin", method: "DELETE", path: "users/{user}/logins/{login}",
    summary: "Ends one login; its connections close at once.",
    parameters: [userParameter, .path("login", "The name of the login in the list.")], refusals: [404],
    work: .blocking(.directory) { call in
      let logins = try call.services.directory.logins(of: try user(of: call).id)
      guard let login = logins.first(where: { handle($0.id) == call["login"] }) else {
        throw APIError(404, .notFound, "the user has no such login")
      }
      try call.services.directory.endLogin(login.id)
      return nil
    })

  private static let endLogins = AdminOperation(
    name: "endLogins", method: "DELETE", path: "users/{user}/logins", summary: "Logs a user out everywhere.",
    parameters: [userParameter], answer: .object([.init("ended", .integer())]), refusals: [404],
    work: .blocking(.directory) { call in
      .object([("ended", .integer(try call.services.directory.endLogins(of: try user(of: call).id, except: nil)))])
    })

  // MARK: API keys

  private static let keySchema = AdminSchema.object([
    .init("id", .string()), .init("name", .string()), .init("isDisabled", .boolean), .init("createdAt", .integer()),
    .init("key", .string(), isRequired: false, "The secret; only in the answer that made it."),
  ])
  private static let keyParameter = Parameter.path("key", "The id of a key.")

  private static func value(_ key: APIKeyRecord, secret: String? = nil) -> JSONValue {
    .object(
      [
        ("id", .string(key.id)), ("name", .string(key.name)), ("isDisabled", .bool(key.isDisabled)),
        ("createdAt", .integer(key.createdAt.millisecondsSince1970)),
      ] + (secret.map { [("key", .string($0))] } ?? []))
  }

  private static let listKeys = AdminOperation(
    name: "listKeys", method: "GET", path: "users/{user}/keys", summary: "The API keys of a user, oldest first.",
    parameters: [userParameter], answer: .object([.init("keys", .array(keySchema))]), refusals: [404],
    work: .blocking(.directory) { call in
      .object([("keys", .array(try call.services.directory.apiKeys(of: try user(of: call).id).map { value($0) }))])
    })

  private static let createKey = AdminOperation(
    name: "createKey", method: "POST", path: "users/{user}/keys",
    summary: "Creates an API key for a user; its secret is told once.", parameters: [userParameter],
    body: .object([.init("name", .string(maximum: 256))]), answer: keySchema, status: 201, refusals: [404, 409],
    work: .blocking(.directory) { call in
      let key = try call.services.accounts.createAPIKey(
        named: call.body["name"]?.string ?? "", for: try user(of: call).id, by: nil)
      return value(key.record, secret: key.secret)
    })

  private static let setKey = AdminOperation(
    name: "setKey", method: "PATCH", path: "users/{user}/keys/{key}",
    summary: "Enables or disables an API key; the logins of a disabled key end.",
    parameters: [userParameter, keyParameter], body: .object([.init("isDisabled", .boolean)]), answer: keySchema,
    refusals: [404],
    work: .blocking(.directory) { call in
      let user = try user(of: call).id
      try call.services.accounts.setAPIKey(call["key"], of: user, enabled: !(call.body["isDisabled"]?.bool ?? false))
      return value(try call.services.accounts.apiKey(call["key"], of: user))
    })

  private static let deleteKey = AdminOperation(
    name: "deleteKey", method: "DELETE", path: "users/{user}/keys/{key}",
    summary: "Revokes an API key with the logins that were made with it.", parameters: [userParameter, keyParameter],
    refusals: [404],
    work: .blocking(.directory) { call in
      try call.services.accounts.deleteAPIKey(call["key"], of: try user(of: call).id)
      return nil
    })
}

import ByteCoding
import Permissions

extension AdminOperation {
  static let users = [listUsers, createUser, user, changeUser, deleteUser, setPassword]

  private static let identity = AdminSchema.object([.init("provider", .string()), .init("name", .string())])

  private static let userSchema = AdminSchema.object([
    .init("id", .string()), .init("isAdministrator", .boolean), .init("isDisabled", .boolean, "Whether suspended."),
    .init("createdAt", .integer(), "Milliseconds since 1970."),
    .init("identities", .array(identity), "The ways to log in."),
  ])

  static let userParameter = Parameter.path("user", "The id of a user.")

  private static func value(_ user: UserRecord, _ identities: [IdentityRecord]) -> JSONValue {
    .object([
      ("id", .string(user.id.rawValue)), ("isAdministrator", .bool(user.isAdministrator)),
      ("isDisabled", .bool(user.isDisabled)), ("createdAt", .integer(user.createdAt.millisecondsSince1970)),
      (
        "identities",
        .array(identities.map { .object([("provider", .string($0.provider)), ("name", .string($0.name))]) })
      ),
    ])
  }

  /// The user that a path names.
  ///
  /// - Throws: ``APIError`` with 404; ``ServerError``.
  static func user(of call: AdminCall) throws -> UserRecord {
    guard let user = try call.services.directory.user(UserId(call["user"])) else { throw APIError.userNotFound }
    return user
  }

  private static func value(of call: AdminCall) throws -> JSONValue {
    let user = try user(of: call)
    return value(user, try call.services.directory.identities(of: user.id))
  }

  private static let listUsers = AdminOperation(
    name: "listUsers", method: "GET", path: "users", summary: "Users in the order of their ids, page by page.",
    parameters: [
      .query("search", "What the name of an identity contains."),
      .query("after", "The last id of the page before."), limit,
    ],
    answer: .object([
      .init("users", .array(userSchema)),
      .init("next", .string(), isRequired: false, "The value of 'after' for the next page; missing on the last one."),
    ]),
    work: .blocking(.directory) { call in
      let limit = call.limit
      let search = call.parameters["search"].flatMap { $0.isEmpty ? nil : $0 }
      let page = try call.services.directory.users(
        matching: search, after: call.parameters["after"].map { UserId($0) }, limit: limit + 1)
      let users = page.prefix(limit)
      var members: [(key: String, value: JSONValue)] = [("users", .array(users.map { value($0.user, $0.identities) }))]
      if page.count > limit, let last = users.last { members.append(("next", .string(last.user.id.rawValue))) }
      return .object(members)
    })

  private static let createUser = AdminOperation(
    name: "createUser", method: "POST", path: "users", summary: "Creates a user with a name and a password.",
    body: .object([
      .init("name", .string(maximum: 256)), .init("password", .string(maximum: 1_024)),
      .init("isAdministrator", .boolean, isRequired: false),
    ]),
    answer: userSchema, status: 201, refusals: [409],
    work: .blocking(.passwords(0)) { call in
      let user = try call.services.accounts.register(
        name: call.body["name"]?.string ?? "", password: call.body["password"]?.string ?? "",
        isAdministrator: call.body["isAdministrator"]?.bool ?? false)
      return value(user, try call.services.directory.identities(of: user.id))
    })

  private static let user = AdminOperation(
    name: "user", method: "GET", path: "users/{user}", summary: "One user.", parameters: [userParameter],
    answer: userSchema, refusals: [404], work: .blocking(.directory) { try value(of: $0) })

  private static let changeUser = AdminOperation(
    name: "changeUser", method: "PATCH", path: "users/{user}",
    summary: "Makes a user an administrator, suspends them, or ends that. It counts for open connections at once.",
    parameters: [userParameter],
    body: .object([
      .init("isAdministrator", .boolean, isRequired: false), .init("isDisabled", .boolean, isRequired: false),
    ]),
    answer: userSchema, refusals: [404],
    work: .blocking(.directory) { call in
      let changed = try call.services.directory.updateUser(
        UserId(call["user"]), isAdministrator: call.body["isAdministrator"]?.bool,
        isDisabled: call.body["isDisabled"]?.bool)
      guard changed else { throw APIError.userNotFound }
      return try value(of: call)
    })

  private static let deleteUser = AdminOperation(
    name: "deleteUser", method: "DELETE", path: "users/{user}",
    summary: "Removes a user with logins, keys, grants and offers. Their realms stay.", parameters: [userParameter],
    refusals: [404],
    work: .blocking(.directory) { call in
      guard try call.services.directory.deleteUser(UserId(call["user"])) else { throw APIError.userNotFound }
      return nil
    })

  private static let setPassword = AdminOperation(
    name: "setPassword", method: "PUT", path: "users/{user}/password",
    summary: "Sets the password of a user; their logins end, and their API keys unless they are kept.",
    parameters: [userParameter],
    body: .object([
      .init("password", .string(maximum: 1_024)), .init("keepAPIKeys", .boolean, isRequired: false),
    ]),
    refusals: [404],
    work: .blocking(.passwords(0)) { call in
      guard let bearer = call.bearer else { throw APIError.noBearer }
      try call.services.accounts.changePassword(
        to: call.body["password"]?.string ?? "", by: bearer, of: UserId(call["user"]),
        keepsKeys: call.body["keepAPIKeys"]?.bool ?? false)
      return nil
    })
}

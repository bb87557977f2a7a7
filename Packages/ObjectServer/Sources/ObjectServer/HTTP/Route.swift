import Transport

/// What a request asks for, read from method, path and query. ``RouteAccess`` says what each asks of its caller.
enum Route: Hashable, Sendable {
  case health
  case ready
  case metrics
  case preflight
  case location
  case logIn(app: String, provider: String)
  /// Gives the user who is logged in another way to log in.
  case link(app: String, provider: String)
  case register(app: String)
  case apiKeys
  case createAPIKey
  case apiKey(String)
  case deleteAPIKey(String)
  case enableAPIKey(String, Bool)
  /// What belongs to accounts confirmed by mail, by its last words: `confirm/send`.
  case mail(String)
  case callFunction
  case registerForPush
  case legacyLogin
  case legacyRevoke
  case realms
  case deleteRealm
  case renameRealm
  case refresh
  case logOut
  case profile
  case deleteUser
  case changePassword
  case account(provider: String, name: String)
  /// The grants to the bearer.
  case permissions
  /// The grants on a realm.
  case realmPermissions
  case applyPermission
  case offers
  case createOffer
  case deleteOffer(String)
  case acceptOffer(String)

  /// The route of a request; doubled slashes count as one.
  ///
  /// - Throws: ``APIError`` with 404 or 405.
  static func of(_ request: HTTPRequest) throws(APIError) -> Route {
    if request.method == "OPTIONS" { return .preflight }
    let parts = request.path.split(separator: "/").map { PercentCoding.decoded($0) ?? "" }
    guard let table = table(parts) else { throw APIError(404, "NotFound", "there is nothing at this path") }
    guard let route = table[request.method] else {
      throw APIError(405, "MethodNotAllowed", "use \(table.keys.sorted().joined(separator: " or ")) here")
    }
    switch route {
    case .logIn(let app, let provider) where request.queryItem("link") == "true":
      return .link(app: app, provider: provider)
    case .permissions where request.queryItem("path") != nil: return .realmPermissions
    default: return route
    }
  }

  private static func table(_ parts: [String]) -> [String: Route]? {
    switch parts.first {
    case "health": return healthTable(parts.dropFirst())
    case "metrics" where parts.count == 1: return ["GET": .metrics]
    case "api" where parts.starts(with: ["api", "client", "v2.0", "app"]) && parts.count > 4:
      return appTable(app: parts[4], Array(parts.dropFirst(5)))
    case "api" where parts.starts(with: ["api", "client", "v2.0", "auth"]):
      return authTable(Array(parts.dropFirst(4)))
    case "api" where parts.starts(with: ["api", "openrealm", "v1"]): return ownTable(Array(parts.dropFirst(3)))
    case "auth": return legacyTable(Array(parts.dropFirst()))
    default: return nil
    }
  }

  private static func healthTable(_ rest: ArraySlice<String>) -> [String: Route]? {
    switch Array(rest) {
    case [], ["live"]: ["GET": .health]
    case ["ready"]: ["GET": .ready]
    default: nil
    }
  }

  private static func appTable(app: String, _ rest: [String]) -> [String: Route]? {
    if rest == ["location"] { return ["GET": .location] }
    if rest == ["functions", "call"] { return ["GET": .callFunction, "POST": .callFunction] }
    if rest.count == 4, rest.starts(with: ["push", "providers"]), rest[3] == "registration" {
      return ["PUT": .registerForPush, "DELETE": .registerForPush]
    }
    let mails = ["confirm", "confirm/send", "confirm/call", "reset", "reset/send", "reset/call"]
    if rest.starts(with: ["auth", "providers", "local-userpass"]) {
      let words = rest.dropFirst(3).joined(separator: "/")
      if mails.contains(words) { return ["POST": .mail(words)] }
    }
    guard rest.count == 4, rest.starts(with: ["auth", "providers"]) else { return nil }
    switch (rest[2], rest[3]) {
    case (let provider, "login"): return ["POST": .logIn(app: app, provider: provider)]
    case ("local-userpass", "register"): return ["POST": .register(app: app)]
    default: return nil
    }
  }

  private static func authTable(_ rest: [String]) -> [String: Route]? {
    switch rest {
    case ["session"]: ["POST": .refresh, "DELETE": .logOut]
    case ["profile"]: ["GET": .profile]
    case ["delete"]: ["DELETE": .deleteUser]
    case ["api_keys"]: ["GET": .apiKeys, "POST": .createAPIKey]
    case _ where rest.count == 2 && rest[0] == "api_keys":
      ["GET": .apiKey(rest[1]), "DELETE": .deleteAPIKey(rest[1])]
    case _ where rest.count == 3 && rest[0] == "api_keys" && (rest[2] == "enable" || rest[2] == "disable"):
      ["PUT": .enableAPIKey(rest[1], rest[2] == "enable")]
    default: nil
    }
  }

  /// The routes of servers before the client API.
  private static func legacyTable(_ rest: [String]) -> [String: Route]? {
    switch rest {
    case []: ["POST": .legacyLogin]
    case ["password"]: ["PUT": .changePassword]
    case ["revoke"]: ["POST": .legacyRevoke]
    case _ where rest.count == 3 && rest[0] == "users":
      ["GET": .account(provider: rest[1] == "password" ? Accounts.passwordProvider : rest[1], name: rest[2])]
    default: nil
    }
  }

  private static func ownTable(_ rest: [String]) -> [String: Route]? {
    switch rest.first {
    case "password" where rest.count == 1: ["PUT": .changePassword]
    case "users" where rest.count == 3: ["GET": .account(provider: rest[1], name: rest[2])]
    case "permissions" where rest.count == 1: ["GET": .permissions, "POST": .applyPermission]
    case "realms" where rest.count == 1: ["GET": .realms, "DELETE": .deleteRealm]
    case "realms" where rest == ["realms", "rename"]: ["POST": .renameRealm]
    case "offers" where rest.count == 1: ["GET": .offers, "POST": .createOffer]
    case "offers" where rest.count == 2: ["DELETE": .deleteOffer(rest[1])]
    case "offers" where rest.count == 3 && rest[2] == "accept": ["POST": .acceptOffer(rest[1])]
    default: nil
    }
  }
}

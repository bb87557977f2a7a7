extension Route {
  private static let app = "api/client/v2.0/app/{app}/"
  private static let auth = "api/client/v2.0/auth/"
  private static let own = "api/openrealm/v1/"

  /// The methods and paths of the route. No two routes have the same pattern.
  var patterns: [RoutePattern] {
    switch self {
    case .health: [.init("GET", "health"), .init("GET", "health/live")]
    case .ready: [.init("GET", "health/ready")]
    case .metrics: [.init("GET", "metrics")]
    // Any path with the method OPTIONS.
    case .preflight: []
    case .location: [.init("GET", Self.app + "location")]
    case .callFunction: [.init("GET", Self.app + "functions/call"), .init("POST", Self.app + "functions/call")]
    case .registerForPush:
      ["PUT", "DELETE"].map { .init($0, Self.app + "push/providers/{provider}/registration") }
    case .register: [.init("POST", Self.app + "auth/providers/local-userpass/register")]
    case .mail:
      ["confirm", "confirm/send", "confirm/call", "reset", "reset/send", "reset/call"].map {
        .init("POST", Self.app + "auth/providers/local-userpass/" + $0)
      }
    case .logIn: [.init("POST", Self.app + "auth/providers/{provider}/login")]
    case .link: [.init("POST", Self.app + "auth/providers/{provider}/login", query: .value("link", "true"))]
    case .refresh: [.init("POST", Self.auth + "session")]
    case .logOut: [.init("DELETE", Self.auth + "session")]
    case .profile: [.init("GET", Self.auth + "profile")]
    case .deleteUser: [.init("DELETE", Self.auth + "delete")]
    case .apiKeys: [.init("GET", Self.auth + "api_keys")]
    case .createAPIKey: [.init("POST", Self.auth + "api_keys")]
    case .apiKey: [.init("GET", Self.auth + "api_keys/{id}")]
    case .deleteAPIKey: [.init("DELETE", Self.auth + "api_keys/{id}")]
    case .enableAPIKey: [.init("PUT", Self.auth + "api_keys/{id}/enable")]
    case .disableAPIKey: [.init("PUT", Self.auth + "api_keys/{id}/disable")]
    case .legacyLogin: [.init("POST", "auth")]
    case .legacyRevoke: [.init("POST", "auth/revoke")]
    case .legacyAccount: [.init("GET", "auth/users/{provider}/{name}")]
    case .account: [.init("GET", Self.own + "users/{provider}/{name}")]
    case .changePassword: [.init("PUT", Self.own + "password"), .init("PUT", "auth/password")]
    case .permissions: [.init("GET", Self.own + "permissions")]
    case .realmPermissions: [.init("GET", Self.own + "permissions", query: .present("path"))]
    case .givenPermissions: [.init("GET", Self.own + "permissions", query: .value("given", "true"))]
    case .explainPermission: [.init("GET", Self.own + "permissions/explain")]
    case .applyPermission: [.init("POST", Self.own + "permissions")]
    case .realms: [.init("GET", Self.own + "realms")]
    case .realmUsers: [.init("GET", Self.own + "realms/users")]
    case .deleteRealm: [.init("DELETE", Self.own + "realms")]
    case .renameRealm: [.init("POST", Self.own + "realms/rename")]
    case .explain: [.init("GET", Self.own + "explain")]
    case .offers: [.init("GET", Self.own + "offers")]
    case .createOffer: [.init("POST", Self.own + "offers")]
    case .deleteOffer: [.init("DELETE", Self.own + "offers/{token}")]
    case .graphQL: [.init("GET", "graphql/{realm*}"), .init("POST", "graphql/{realm*}")]
    case .graphQLSchema: [.init("GET", "graphql/schema/{realm*}")]
    case .graphQLExplorer: [.init("GET", "graphql/explore/{realm*}")]
    case .clearGraphQLSchema: [.init("DELETE", "graphql/schema/{realm*}")]
    case .acceptOffer: [.init("POST", Self.own + "offers/{token}/accept")]
    }
  }
}

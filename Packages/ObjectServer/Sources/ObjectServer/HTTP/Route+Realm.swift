extension Route {
  /// The place of a request at which the realm stands whose files it needs.
  enum RealmParameter: Hashable, Sendable {
    /// It needs no realm's files.
    case none
    case path
    case query
    case body
  }

  /// Where requests of this route name the realm whose files they need; a new route decides here.
  var realm: RealmParameter {
    switch self {
    case .graphQL, .graphQLSchema, .clearGraphQLSchema: .path
    case .deleteRealm, .realmUsers, .explain: .query
    case .renameRealm: .body
    case .health, .ready, .metrics, .preflight, .location, .callFunction, .registerForPush, .register, .mail, .logIn,
      .legacyLogin, .legacyRevoke, .refresh, .logOut, .apiKeys, .createAPIKey, .apiKey, .deleteAPIKey, .enableAPIKey,
      .disableAPIKey, .link, .profile, .deleteUser, .changePassword, .realms, .account, .legacyAccount, .permissions,
      .givenPermissions, .realmPermissions, .explainPermission, .applyPermission, .offers, .createOffer, .deleteOffer,
      .acceptOffer, .graphQLExplorer:
      .none
    }
  }
}

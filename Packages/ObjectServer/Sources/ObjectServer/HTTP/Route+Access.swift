extension Route {
  /// The kind of bearer or proof that this route asks for; a new route decides here.
  var access: RequiredBearer {
    switch self {
    case .health, .ready, .metrics, .preflight, .location, .callFunction, .registerForPush, .graphQLExplorer: .nothing
    case .logIn, .register, .mail, .legacyLogin, .legacyRevoke: .proof
    case .refresh, .logOut, .apiKeys, .createAPIKey, .apiKey, .deleteAPIKey, .enableAPIKey, .disableAPIKey: .login
    case .link, .deleteUser, .acceptOffer: .user
    case .profile, .changePassword, .realms, .realmUsers, .renameRealm, .permissions, .givenPermissions, .offers,
      .explain, .explainPermission:
      .unbounded
    case .account, .legacyAccount: .administrator
    case .graphQL, .graphQLSchema, .clearGraphQLSchema: .connection
    case .realmPermissions, .applyPermission, .createOffer, .deleteOffer, .deleteRealm: .realm
    }
  }
}

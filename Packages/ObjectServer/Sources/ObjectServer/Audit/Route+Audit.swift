extension Route {
  /// The name under which requests of this route stand in the audit log; nil for those that only read, or act for nobody.
  var auditEvent: String? {
    switch self {
    case .logIn, .legacyLogin: "login"
    case .register: "register"
    case .link: "link"
    // Refusals alone: of a token that was used twice, for example.
    case .refresh: "refresh"
    case .logOut, .legacyRevoke: "logout"
    case .createAPIKey: "key.create"
    case .deleteAPIKey: "key.delete"
    case .enableAPIKey: "key.enable"
    case .disableAPIKey: "key.disable"
    case .deleteUser: "user.delete"
    case .changePassword: "password.change"
    case .deleteRealm: "realm.delete"
    case .renameRealm: "realm.rename"
    case .applyPermission: "permission.apply"
    case .createOffer: "offer.create"
    case .deleteOffer: "offer.delete"
    case .acceptOffer: "offer.accept"
    case .mail: "mail"
    case .health, .ready, .metrics, .preflight, .location, .callFunction, .registerForPush, .apiKeys, .apiKey,
      .profile, .realms, .realmUsers, .explain, .account, .legacyAccount, .permissions, .givenPermissions,
      .realmPermissions, .explainPermission, .offers, .graphQL, .graphQLSchema, .graphQLExplorer, .clearGraphQLSchema:
      nil
    }
  }

  /// Where requests of this route prove who their sender is.
  var auditProof: AuditingResponder.Proof {
    switch access {
    case .nothing, .proof: self == .legacyRevoke ? .body : .answer
    case .login, .user, .unbounded, .administrator, .realm, .connection: .bearer
    }
  }
}

import ByteCoding
import Permissions

extension AdminOperation {
  static let permissions = [listGrants, listUserGrants, applyGrant, explainAccess]
  static let offers = [listOffers, deleteOffer]

  private static let level = AdminSchema.choice(["none", "read", "write", "manage"])
  private static let levelShown = AdminSchema.choice(["none", "read", "write", "manage", "admin"])
  private static let grantSchema = AdminSchema.object([
    .init("path", .string()), .init("userId", .string(), "The id of a user, or * for everyone."),
    .init("access", levelShown), .init("updatedAt", .integer()),
  ])
  static let pathParameter = Parameter.query("path", .string(maximum: 1_024), isRequired: true, "The path of a realm.")

  private static func value(_ grant: Grant) -> JSONValue {
    .object([
      ("path", .string(grant.path.description)), ("userId", .string(grant.grantee.description)),
      ("access", .string(grant.level.name)), ("updatedAt", .integer(grant.updatedAtMilliseconds)),
    ])
  }

  /// The path of a realm as a parameter or a body gives it.
  ///
  /// - Throws: ``APIError`` with 400
  static func path(_ text: String) throws(APIError) -> RealmPath {
    do {
      return try RealmPath(text, for: nil)
    } catch {
      throw APIError(400, .invalidParameter, "\(error)")
    }
  }

  private static let listGrants = AdminOperation(
    name: "listGrants", method: "GET", path: "permissions", summary: "Who has access to a realm: the grants on it.",
    parameters: [pathParameter],
    answer: .object([
      .init("path", .string()), .init("exists", .boolean), .init("owner", .string(), isRequired: false),
      .init("permissions", .array(grantSchema)),
    ]),
    work: .blocking(.directory) { call in
      let facts = try call.services.directory.facts(of: try path(call["path"]))
      return .object(
        [("path", .string(facts.path.description)), ("exists", .bool(facts.exists))]
          + (facts.path.owner.map { [("owner", .string($0.rawValue))] } ?? [])
          + [("permissions", .array(facts.grants.map(value)))])
    })

  private static let listUserGrants = AdminOperation(
    name: "listUserGrants", method: "GET", path: "users/{user}/permissions",
    summary: "The grants to a user; those to everyone are not among them.", parameters: [userParameter],
    answer: .object([.init("permissions", .array(grantSchema))]), refusals: [404],
    work: .blocking(.directory) { call in
      .object([("permissions", .array(try call.services.directory.grants(to: try user(of: call).id).map(value)))])
    })

  private static let applyGrant = AdminOperation(
    name: "applyGrant", method: "PUT", path: "permissions",
    summary: "Sets the access of a user, or of everyone, to a realm; open sessions see it at once.",
    body: .object([
      .init("path", .string(maximum: 1_024)), .init("userId", .string(maximum: 256), "An id, or * for everyone."),
      .init("access", level),
    ]),
    answer: grantSchema, refusals: [404],
    work: .blocking(.directory) { call in
      let path = try path(call.body["path"]?.string ?? "")
      let grantee = Grantee(call.body["userId"]?.string ?? "")
      if case .user(let user) = grantee, try call.services.directory.user(user) == nil { throw APIError.userNotFound }
      let grant = Grant(
        path: path, grantee: grantee, level: AccessLevel(name: call.body["access"]?.string ?? "") ?? .none,
        updatedAtMilliseconds: call.services.accounts.now.millisecondsSince1970)
      try call.services.directory.setGrant(grant)
      return value(grant)
    })

  private static let explainAccess = AdminOperation(
    name: "explainAccess", method: "GET", path: "permissions/explain",
    summary: "The rule that decides about a user and a realm.",
    parameters: [
      pathParameter, .query("user", .string(maximum: 256), isRequired: true, "The id of a user."),
      .query("access", level, "The wanted level; read unless given."),
    ],
    answer: .object([
      .init("isAllowed", .boolean), .init("access", levelShown, "The level that the user has."),
      .init("rule", .string(), "The rule that gives it."), .init("sentence", .string()),
    ]),
    refusals: [404],
    work: .blocking(.directory) { call in
      let user = try user(of: call)
      let decision = call.services.sharing.rules.decide(
        AccessSubject(user: user.id, isAdministrator: user.isAdministrator),
        wants: AccessLevel(name: call.parameters["access"] ?? "read") ?? .read,
        of: try call.services.directory.facts(of: try path(call["path"])))
      return .object([
        ("isAllowed", .bool(decision.isAllowed && !user.isDisabled)), ("access", .string(decision.level.name)),
        ("rule", .string(decision.rule)),
        ("sentence", .string(user.isDisabled ? "The user is suspended." : decision.explanation)),
      ])
    })

  // MARK: Offers

  private static let listOffers = AdminOperation(
    name: "listOffers", method: "GET", path: "users/{user}/offers",
    summary: "The offers that a user made; their secrets are not told.", parameters: [userParameter],
    answer: .object([
      .init(
        "offers",
        .array(
          .object([
            .init("id", .string(), "A name of the offer for this API."), .init("path", .string()),
            .init("access", levelShown), .init("createdAt", .integer()),
            .init("expiresAt", .integer(), isRequired: false),
          ])))
    ]),
    refusals: [404],
    work: .blocking(.directory) { call in
      let offers = try call.services.directory.offers(of: try user(of: call).id)
      return .object([
        (
          "offers",
          .array(
            offers.map { offer in
              .object(
                [
                  ("id", .string(handle(offer.token))), ("path", .string(offer.path.description)),
                  ("access", .string(offer.level.name)),
                  ("createdAt", .integer(offer.createdAt.millisecondsSince1970)),
                ] + (offer.expiresAt.map { [("expiresAt", .integer($0.millisecondsSince1970))] } ?? []))
            })
        )
      ])
    })

  private static let deleteOffer = AdminOperation(
    name: "deleteOffer", method: "DELETE", path: "users/{user}/offers/{offer}", summary: "Withdraws an offer.",
    parameters: [userParameter, .path("offer", "The name of the offer in the list.")], refusals: [404],
    work: .blocking(.directory) { call in
      let offers = try call.services.directory.offers(of: try user(of: call).id)
      guard let offer = offers.first(where: { handle($0.token) == call["offer"] }) else { throw APIError.offerUnusable }
      try call.services.directory.deleteOffer(offer.token)
      return nil
    })
}

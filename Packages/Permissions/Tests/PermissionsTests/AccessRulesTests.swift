import Permissions
import PermissionsTestSupport
import Testing

/// One row of the matrix: user, realm and grants, with the outcome.
struct Row: Sendable, CustomTestStringConvertible {
  var user: String
  var path: String
  var exists = true
  var grants: [(String, AccessLevel)] = []
  var level: AccessLevel
  var reason: AccessDecision.Reason

  init(
    _ user: String, _ path: String, exists: Bool = true, _ grants: [(String, AccessLevel)],
    _ level: AccessLevel, _ reason: AccessDecision.Reason
  ) {
    (self.user, self.path, self.exists, self.grants, self.level, self.reason) = (
      user, path, exists, grants, level, reason
    )
  }

  var testDescription: String { "\(user) \(path) exists=\(exists) \(grants) -> \(level)" }
}

@Suite("Access rules")
struct AccessRulesTests {
  static let rows: [Row] = [
    Row("ann", "/ann/list", [], .admin, .owner),
    Row("ann", "/ann/list", exists: false, [], .admin, .owner),
    Row("ann", "/ann/deep/er/list", [], .admin, .owner),
    Row("ben", "/ann/list", [], .none, .noGrant),
    Row("ben", "/ann/list", exists: false, [], .none, .noGrant),
    Row("ben", "/ann/list", [("ben", .read)], .read, .grant(.user("ben"))),
    Row("ben", "/ann/list", [("ben", .write)], .write, .grant(.user("ben"))),
    Row("ben", "/ann/list", [("ben", .admin)], .admin, .grant(.user("ben"))),
    Row("ben", "/ann/list", [("cleo", .write)], .none, .noGrant),
    Row("ben", "/ann/list", [("*", .read)], .read, .grant(.everyone)),
    Row("ben", "/ann/list", [("*", .write), ("ben", .read)], .read, .grant(.user("ben"))),
    Row("ben", "/ann/list", [("*", .read), ("ben", .write)], .write, .grant(.user("ben"))),
    Row("root", "/ann/list", [], .admin, .administrator),
    Row("root", "/new", exists: false, [], .admin, .administrator),
    Row("ben", "/news", [], .read, .publicRealm),
    Row("ben", "/news", [("ben", .write)], .write, .grant(.user("ben"))),
    Row("ben", "/news", exists: false, [], .none, .missingRealm),
    Row("ben", "/default", [], .write, .appRule),
    Row("ben", "/default", exists: false, [], .write, .appRule),
    Row("ben", "/default", [("ben", .read)], .read, .grant(.user("ben"))),
    Row("ben", "/default", [("ben", .admin)], .admin, .grant(.user("ben"))),
    Row("root", "/default", exists: false, [], .admin, .administrator),
    Row("ben", "/__admin", [], .none, .noGrant),
    Row("ben", "/__system/x", [], .none, .noGrant),
    Row("ben", "\"team a\"", [], .none, .partitionRule),
    Row("ben", "\"team a\"", [("*", .write)], .write, .grant(.everyone)),
    Row("ben", "\"ben\"", [("*", .read)], .admin, .owner),
    Row("ben", "\"\"", [], .none, .partitionRule),
    Row("65a1b2c3d4e5f60718293a4b", "{\"$oid\":\"65A1B2C3D4E5F60718293A4B\"}", [], .admin, .owner),
    Row("65a1b2c3d4e5f60718293a4b", "{\"$numberInt\":\"65\"}", [], .none, .partitionRule),
    Row("ben", "\"team a\"", [("ben", .admin)], .admin, .grant(.user("ben"))),
    Row("ann", "/news/__partial/ann/main", [], .read, .publicRealm),
    Row("ben", "/news/__partial/ann/main", [], .none, .foreignPartialView),
    Row("root", "/news/__partial/ann/main", [], .admin, .administrator),
    Row("ben", "/ann", [], .read, .publicRealm),
  ]

  @Test("level and reason follow the matrix", arguments: rows)
  func matrix(row: Row) throws {
    let path = try RealmPath(row.path)
    let facts = RealmFacts(
      path: path, exists: row.exists,
      grants: row.grants.map { Grant(path: path, grantee: Grantee($0.0), level: $0.1) })
    let subject = AccessSubject(user: UserId(row.user), isAdministrator: row.user == "root")
    for wanted in AccessLevel.allCases {
      let decision = AccessRules().decide(subject, wants: wanted, of: facts)
      #expect(decision.level == row.level)
      #expect(decision.reason == row.reason)
      #expect(decision.isAllowed == (row.level >= wanted))
      #expect(!decision.explanation.isEmpty)
      #expect(decision.rule.hasPrefix("\(row.level), "))
      #expect(!decision.rule.contains(row.user), "no names of users")
    }
  }

  @Test("a grant on another path has no effect")
  func otherPath() throws {
    let facts = RealmFacts(
      path: try RealmPath("/ann/list"), exists: true,
      grants: [Grant(path: try RealmPath("/ann/other"), grantee: .user("ben"), level: .admin)])
    #expect(AccessRules().decide(AccessSubject(user: "ben"), wants: .read, of: facts).level == .none)
  }

  @Test("a token bounds the level of its user, administrators included")
  func tokenBounds() throws {
    let facts = RealmFacts(path: try RealmPath("/ann/list"), exists: true)
    let reader = AccessSubject(user: "ann", isAdministrator: true, tokenLevel: .read)
    #expect(AccessRules().decide(reader, wants: .write, of: facts).reason == .tokenLevel)
    #expect(AccessRules().decide(reader, wants: .read, of: facts).isAllowed)
    let elsewhere = AccessSubject(user: "ann", isAdministrator: true, tokenPath: try RealmPath("/ann/other"))
    #expect(AccessRules().decide(elsewhere, wants: .read, of: facts).reason == .tokenForOtherRealm)
  }

  @Test("an explanation names exactly one rule that decides, in every random world")
  func explanations() throws {
    let environment = FuzzEnvironment(runs: 500)
    var random = environment.generator
    let paths = try ["/ben/list", "/ann/list", "/news", "/default", "\"team\"", "/ann/list/__partial/ben/x"].map {
      try RealmPath($0)
    }
    for run in 0..<environment.runs {
      let path = paths.randomElement(using: &random) ?? .ofApps
      let grants = (0..<3).map { _ in
        Grant(
          path: path, grantee: ["*", "ben", "ann"].map(Grantee.init).randomElement(using: &random) ?? .everyone,
          level: [.read, .write, .admin].randomElement(using: &random) ?? .read)
      }
      let facts = RealmFacts(path: path, exists: Bool.random(using: &random), grants: grants)
      let subject = AccessSubject(
        user: "ben", isAdministrator: Int.random(in: 0..<8, using: &random) == 0,
        tokenPath: Bool.random(using: &random) ? nil : paths.randomElement(using: &random),
        tokenLevel: AccessLevel.allCases.randomElement(using: &random) ?? .admin)
      let decision = AccessRules().decide(subject, wants: .write, of: facts)
      let explanation = AccessRules().explain(subject, wants: .write, of: facts)
      #expect(explanation.steps.filter(\.decides).count == 1, "SEED=\(environment.seed) run \(run): \(explanation)")
      #expect(explanation.level == decision.level.name)
      #expect(explanation.isAllowed == decision.isAllowed)
    }
  }

  @Test("levels are read by name, and manage is admin")
  func names() {
    #expect(AccessLevel(name: "Manage") == .admin)
    #expect(AccessLevel(name: "admin") == AccessLevel.manage)
    #expect(AccessLevel(name: "owner") == nil)
    #expect(AccessLevel.allCases.map(\.name) == ["none", "read", "write", "manage"])
  }

  @Test("a permission says whether it allows reading, writing and managing")
  func permission() {
    let permission = SyncPermission(realmPath: "/~/list", identity: "ben", accessLevel: .write)
    #expect(permission.mayRead)
    #expect(permission.mayWrite)
    #expect(!permission.mayManage)
    #expect(permission == SyncPermissionValue(realmPath: "/~/list", userID: "ben", accessLevel: .write))
    #expect(SyncPermission(realmPath: "*", username: "ann@example.org", accessLevel: .none).identity == nil)
  }
}

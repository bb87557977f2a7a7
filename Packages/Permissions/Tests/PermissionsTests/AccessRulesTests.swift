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
    Row("ben", "/ann/list", [("*", .write), ("ben", .read)], .write, .grant(.everyone)),
    Row("ben", "/ann/list", [("*", .read), ("ben", .write)], .write, .grant(.user("ben"))),
    Row("root", "/ann/list", [], .admin, .administrator),
    Row("root", "/new", exists: false, [], .admin, .administrator),
    Row("ben", "/news", [], .read, .publicRealm),
    Row("ben", "/news", [("ben", .write)], .write, .grant(.user("ben"))),
    Row("ben", "/news", exists: false, [], .none, .missingRealm),
    Row("ben", "/default", [], .write, .appRule),
    Row("ben", "/default", exists: false, [], .write, .appRule),
    Row("ben", "/default", [("ben", .admin)], .admin, .grant(.user("ben"))),
    Row("root", "/default", exists: false, [], .admin, .administrator),
    Row("ben", "/__admin", [], .none, .noGrant),
    Row("ben", "/__system/x", [], .none, .noGrant),
    Row("ben", "\"team a\"", [], .write, .partitionRule),
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

  @Test("more grants never take access away")
  func monotone() throws {
    let environment = FuzzEnvironment(runs: 500)
    var random = environment.generator
    let path = try RealmPath("/ann/list")
    for run in 0..<environment.runs {
      var grants: [Grant] = []
      var previous = AccessLevel.none
      for _ in 0..<6 {
        grants.append(
          Grant(
            path: path,
            grantee: Bool.random(using: &random) ? .everyone : .user(Bool.random(using: &random) ? "ben" : "cleo"),
            level: AccessLevel.allCases.randomElement(using: &random) ?? .read))
        let facts = RealmFacts(path: path, exists: true, grants: grants)
        let level = AccessRules().decide(AccessSubject(user: "ben"), wants: .none, of: facts).level
        #expect(level >= previous, "SEED=\(environment.seed) run \(run)")
        previous = level
      }
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

@testable import ObjectServer
import ObjectServerTestSupport
import Telemetry
import TelemetryTestSupport
import Testing

@Suite("limits of accounts")
struct AccountLimitsTests {
  @Test("what holds for all limits holds for those in memory", arguments: AccountLimitsLaw.allCases)
  func law(law: AccountLimitsLaw) throws {
    let clock = ManualClock()
    let limits = MemoryAccountLimits(clock: clock)
    try law.check(limits, limits, clock)
  }

  private static let password = "/api/client/v2.0/app/todo/auth/providers/local-userpass/"

  private static func send(_ stage: Stage, to host: String, _ path: String, _ body: String) throws -> Int {
    try stage.send("POST", path, body: body, to: host).status
  }

  @Test("attempts that are spread over two nodes are refused as soon as at one, and a success forgets them at both")
  func nodes() throws {
    let cluster = try ClusterStage(sharesLimits: true)
    let stage = cluster.stage
    #expect(
      try Self.send(stage, to: "server", Self.password + "register", #"{"email":"ann","password":"right"}"#) == 201)
    let login = Self.password + "login"
    let (wrong, right) = (#"{"username":"ann","password":"wrong"}"#, #"{"username":"ann","password":"right"}"#)
    for number in 0..<5 { #expect(try Self.send(stage, to: ["server", "b"][number % 2], login, wrong) == 401) }
    #expect(try Self.send(stage, to: "b", login, right) == 200)
    for number in 0..<6 { #expect(try Self.send(stage, to: ["server", "b"][number % 2], login, wrong) == 401) }
    #expect(try Self.send(stage, to: "server", login, right) == 429)
    #expect(try Self.send(stage, to: "b", login, right) == 429)
  }

  @Test("new users from one address are counted over two nodes, in each way in which they are made")
  func newUsers() throws {
    let cluster = try ClusterStage(sharesLimits: true) { $0.accountsPerSecond = 1 }
    let anonymous = "/api/client/v2.0/app/todo/auth/providers/anon-user/login"
    let stage = cluster.stage
    #expect(try Self.send(stage, to: "server", anonymous, "") == 200)
    #expect(try Self.send(stage, to: "b", anonymous, "") == 200)
    #expect(try Self.send(stage, to: "b", "/auth", #"{"provider":"anonymous"}"#) == 200)
    #expect(try Self.send(stage, to: "b", Self.password + "register", #"{"email":"ann","password":"right"}"#) == 201)
    let legacy = #"{"provider":"password","data":"ben","user_info":{"password":"right","register":true}}"#
    #expect(try Self.send(stage, to: "server", "/auth", legacy) == 200)
    for host in ["server", "b"] {
      #expect(try Self.send(stage, to: host, anonymous, "") == 429)
      #expect(try Self.send(stage, to: host, "/auth", #"{"provider":"anonymous"}"#) == 429)
      #expect(
        try Self.send(stage, to: host, Self.password + "register", #"{"email":"cid","password":"right"}"#) == 429)
    }
    let other = #"{"provider":"password","data":"cid","user_info":{"password":"right","register":true}}"#
    #expect(try Self.send(stage, to: "b", "/auth", other) == 429)
  }

  @Test("when nothing can be counted, nobody logs in and nobody registers, whatever the password")
  func failsClosed() throws {
    let stage = try Stage(accountLimits: BrokenLimits())
    let directory = stage.directory
    for body in [#"{"username":"ann","password":"wrong"}"#, #"{"username":"ann","password":"right"}"#] {
      #expect(try Self.send(stage, to: "server", Self.password + "login", body) == 500)
    }
    let register = #"{"email":"ben","password":"right"}"#
    #expect(try Self.send(stage, to: "server", Self.password + "register", register) == 500)
    #expect(try directory.userCount() == 0)
  }

  /// Limits whose database is away.
  private struct BrokenLimits: AccountLimits {
    private static let failure = ServerError(.clusterFailure, "away", remedy: "wait")
    func knownWait(_ event: AccountEvent) -> Duration { .zero }
    func admit(_ event: AccountEvent) throws(ServerError) -> AccountAdmission { throw Self.failure }
    func settle(
      _ event: AccountEvent, _ admission: AccountAdmission, as outcome: AccountOutcome
    ) throws(ServerError) { throw Self.failure }
    func delay(ofMail mail: PacedMail) throws(ServerError) -> Duration? { throw Self.failure }
  }
}

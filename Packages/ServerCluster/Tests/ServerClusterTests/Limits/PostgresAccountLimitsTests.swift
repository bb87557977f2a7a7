import ObjectServer
import ObjectServerTestSupport
import PostgresClient
import PostgresClientTestSupport
@testable import ServerCluster
import Telemetry
import TelemetryTestSupport
import TestKit
import Testing

@Suite("limits of accounts in a cluster", .serialized, .enabled(if: PostgresServer.isThere), .onePostgres)
struct PostgresAccountLimitsTests {
  @Test("what holds for all limits holds for those that two nodes count together", arguments: AccountLimitsLaw.allCases)
  func law(law: AccountLimitsLaw) async throws {
    try await OnePostgres.withDatabase { address in
      let clock = ManualClock(instant: .zero + .seconds(1_000))
      let nodes = try (0..<2).map { _ in PostgresAccountLimits(try ClusterDatabase(address), testClock: clock) }
      try law.check(nodes[0], nodes[1], clock)
    }
  }

  @Test("two nodes answer as one server that counts in memory", arguments: Seeds.some(3))
  func model(seed: UInt64) async throws {
    try await OnePostgres.withDatabase { address in
      let clock = ManualClock(instant: .zero + .seconds(1_000))
      let nodes = try (0..<2).map { _ in PostgresAccountLimits(try ClusterDatabase(address), testClock: clock) }
      let model = MemoryAccountLimits(clock: clock)
      var random = SeededGenerator(seed: seed)
      for step in 0..<600 {
        clock.advance(
          by: .microseconds(Int64.random(in: 1...(random.oneIn(10) ? 90_000_000 : 400_000), using: &random)))
        let event = Self.event(using: &random)
        let node = nodes[Int.random(in: 0..<2, using: &random)]
        let expected = model.admit(event), found = try node.admit(event)
        let difference = expected.wait - found.wait
        #expect(abs(difference / .milliseconds(1)) < 1, "SEED=\(seed) step \(step): \(event), \(expected), \(found)")
        #expect((expected.wait == .zero) == (found.wait == .zero), "SEED=\(seed) step \(step): \(event)")
        guard found.wait == .zero, expected.wait == .zero, random.oneIn(3) else { continue }
        #expect(expected.counters == found.counters, "SEED=\(seed) step \(step): \(event)")
        let outcome = random.oneIn(2) ? AccountOutcome.succeeded : .withdrawn
        model.settle(event, expected, as: outcome)
        try node.settle(event, found, as: outcome)
      }
    }
  }

  private static func event(using random: inout SeededGenerator) -> AccountEvent {
    let network = "n\(Int.random(in: 0..<3, using: &random))"
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .guessedName(network: network)
    case 1: return .newUser(network: network, perSecond: 1)
    case 2: return .passwordChange(user: "ann")
    default: return .login(name: ["ann", "ben"][Int.random(in: 0..<2, using: &random)], network: network)
    }
  }

  @Test("of many attempts at a time, at two nodes, as many are admitted as of attempts that follow each other")
  func race() async throws {
    let admitted = try await OnePostgres.withDatabase { address in
      try (0..<2).map { _ in PostgresAccountLimits(try ClusterDatabase(address), testClock: ManualClock()) }
    }
    let count = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<24 {
        group.addTask {
          try await onOwnThread {
            try admitted[number % 2].admit(.login(name: "ann", network: "n\(number % 4)")).wait == .zero
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 10)
  }

  @Test(
    "rows go when they have nothing to tell, a few with each attempt, and networks of owners when there are too many")
  func removal() async throws {
    try await OnePostgres.withDatabase { address in
      let clock = ManualClock(instant: .zero + .seconds(1_000))
      let database = try ClusterDatabase(address)
      let limits = PostgresAccountLimits(database, testClock: clock)
      func rows(_ table: String) throws -> Int64? {
        try database.perform { try $0.query("SELECT count(*) FROM \(table)").integer(0, 0) }
      }
      for number in 0..<50 { _ = try limits.admit(.login(name: "name \(number)", network: "n\(number)")) }
      #expect(try rows("account_counter") == 150)
      clock.advance(by: .seconds(3_600))
      _ = try limits.admit(.guessedName(network: "m"))
      #expect(try rows("account_counter") == 143)
      for _ in 0..<20 { _ = try limits.admit(.guessedName(network: "m")) }
      #expect(try rows("account_counter") == 1)

      func logIn(_ name: String, _ network: String) throws {
        clock.advance(by: .seconds(1))
        let event = AccountEvent.login(name: name, network: network)
        try limits.settle(event, try limits.admit(event), as: .succeeded)
      }
      for number in 0..<20 { try logIn("ann", "n\(number)") }
      #expect(try rows("known_network") == 8)
      for number in 0..<260 { try logIn("bot \(number)", "farm") }
      #expect(try rows("known_network") == 8 + 256)
      clock.advance(by: .seconds(91 * 86_400))
      for _ in 0..<40 { try logIn("ann", "home") }
      #expect(try rows("known_network") == 1)
    }
  }

  @Test("an attempt waits for none at another account")
  func unrelated() async throws {
    try await OnePostgres.withDatabase { address in
      let other = try PostgresConnection(PostgresConnection.parameters(of: address))
      let name = try #require(try other.query("SELECT current_database()")[0, 0])
      try other.query("ALTER DATABASE \(name) SET lock_timeout = '500ms'")
      let limits = PostgresAccountLimits(try ClusterDatabase(address))
      let ann = AccountEvent.login(name: "ann", network: "n"), ben = AccountEvent.login(name: "ben", network: "m")
      _ = try limits.admit(ann)
      try other.query("BEGIN; SELECT * FROM openrealm.account_counter FOR UPDATE")
      #expect(throws: ServerError.self) { try limits.admit(ann) }
      let admission = try limits.admit(ben)
      #expect(admission.wait == .zero)
      try limits.settle(ben, admission, as: .succeeded)
      try other.query("ROLLBACK")
    }
  }

  @Test("by the clock of the database, time passes")
  func databaseClock() async throws {
    try await OnePostgres.withDatabase { address in
      let limits = PostgresAccountLimits(try ClusterDatabase(address))
      let event = AccountEvent.login(name: "ann", network: "n")
      for _ in 0..<6 { #expect(try limits.admit(event).wait == .zero) }
      let wait = try limits.admit(event).wait
      #expect(wait > .zero)
      #expect(wait <= .seconds(1))
      let other = PostgresAccountLimits(try ClusterDatabase(address))
      _ = try ClusterDatabase(address).perform {
        try $0.query("UPDATE account_counter SET updated = updated - interval '2 seconds'")
      }
      #expect(try other.admit(event).wait == .zero)
    }
  }
}

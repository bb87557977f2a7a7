import Foundation
import ObjectStore
import PostgresClient
import Synchronization
import TestKit
import Testing

@testable import SyncClient

/// An object of the tests with kills.
final class KilledItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title: String?
  @Persisted var amount = 0
  @Persisted var tags: List<String>
  @Persisted var parent: KilledItem?
}

/// Real processes: `realm-postgres` and PostgreSQL are killed with signal 9 at random moments while both sides write.
/// `POSTGRES_KILLS` says how often, `POSTGRES_SECONDS` for how long at least.
@Suite(
  "kills", .serialized,
  .enabled(if: PostgresServer.isThere && KilledSystem.program != nil),
  .enabled(if: ProcessInfo.processInfo.environment["POSTGRES_KILLS"] != nil, "make postgres-kills runs them"))
struct KillTests {
  private static func number(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  @Test("realm and tables are equal after kills of server, connector and database, and every append is there once")
  func kills() async throws {
    let (kills, seconds) = (Self.number("POSTGRES_KILLS", 4), Self.number("POSTGRES_SECONDS", 0))
    var random = SeededGenerator(seed: UInt64(Self.number("SEED", 1)))
    let system = try await KilledSystem()
    let tables = system.writeTables()
    let objects = try system.writeObjects()
    let end = ContinuousClock.now + .seconds(seconds)
    var count = (server: 0, database: 0)
    while count.server + count.database < kills || ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(Int.random(in: 300...2_000, using: &random)))
      if Bool.random(using: &random) {
        system.killServer()
        try system.startServer()
        count.server += 1
      } else {
        system.database.kill()
        try system.database.start()
        count.database += 1
      }
    }
    system.stopWriting()
    let (appended, unsure) = await tables.value
    let written = try await objects.value
    let difference = try await system.difference(within: .seconds(180))
    #expect(difference == nil)
    let tags = try system.tags()
    let (certain, all) = (Set(appended + written), Set(appended + written + unsure))
    let counts = Dictionary(tags.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(certain.subtracting(tags).sorted().prefix(3).isEmpty)
    #expect(Set(tags).subtracting(all).isEmpty)
    #expect(counts.filter { $0.value > 1 }.keys.sorted().prefix(3).isEmpty)
    let letters = try system.deadLetters()
    #expect(letters == [])
    print(
      "kills: \(count.server) of server and connector, \(count.database) of the database; \(system.statements) statements, "
        + "\(written.count) appends and \(system.transactions) transactions of the realm, \(appended.count) appends of the tables"
    )
    await system.end()
  }
}

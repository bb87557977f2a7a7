import Foundation
import PostgresClientTestSupport
import TestKit
import Testing

/// Real processes: `realm-postgres` and PostgreSQL are killed with signal 9 at random moments, and the connector's connections are ended,
/// while both sides write.
@Suite("faults", .serialized, .enabled(if: PostgresServer.isThere && KilledSystem.program != nil))
struct KillTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// `POSTGRES_KILLS` says how often each kind of fault happens.
  @Test(
    "realm and tables are equal after kills of server, database and connections, and every append is there once",
    .enabled(if: number("POSTGRES_KILLS") != nil, "make postgres-kills runs them"))
  func kills() async throws {
    let system = try await KilledSystem(devices: 1)
    var random = SeededGenerator(seed: UInt64(Self.number("SEED") ?? 1))
    let work = system.write(writers: 1)
    var faults: [KillFault: Int] = [:]
    while let fault = KillFault.allCases.filter({ faults[$0, default: 0] < Self.number("POSTGRES_KILLS") ?? 0 })
      .randomElement(using: &random)
    {
      try await Task.sleep(for: .milliseconds(Int.random(in: 300...2_000, using: &random)))
      try await system.inject(fault)
      faults[fault, default: 0] += 1
    }
    try await check(system, work, faults)
  }

  /// `POSTGRES_SOAK` says for how many seconds.
  @Test(
    "three devices and six connections write for long with faults, and realms and tables are equal at the end",
    .enabled(if: number("POSTGRES_SOAK") != nil, "make postgres-soak runs it"))
  func soak() async throws {
    let system = try await KilledSystem(devices: 3)
    var random = SeededGenerator(seed: UInt64(Self.number("SEED") ?? 1))
    let work = system.write(writers: 2)
    var faults: [KillFault: Int] = [:]
    let end = ContinuousClock.now + .seconds(Self.number("POSTGRES_SOAK") ?? 0)
    while ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(Int.random(in: 2_000...20_000, using: &random)))
      let fault = KillFault.allCases.randomElement(using: &random) ?? .server
      try await system.inject(fault)
      faults[fault, default: 0] += 1
    }
    try await check(system, work, faults)
  }

  private func check(
    _ system: KilledSystem, _ work: Task<KilledSystem.Appends, any Error>, _ faults: [KillFault: Int]
  ) async throws {
    system.stopWriting()
    let appends = try await work.value
    let counts = system.counters.withLock { $0 }
    print(
      faults.map { "\($0.value) of the \($0.key)" }.sorted().joined(separator: ", ")
        + "; \(counts.statements) transactions of the tables, \(counts.transactions) of realms, \(appends.certain.count) appends"
    )
    let difference = try await system.difference()
    #expect(difference == nil)
    let tags = try system.tags()
    let often = Dictionary(tags.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }
    #expect(Set(appends.certain).subtracting(tags).sorted().prefix(3).isEmpty)
    #expect(Set(tags).subtracting(appends.certain + appends.unsure).sorted().prefix(3).isEmpty)
    #expect(often.keys.sorted().prefix(3).isEmpty)
    let letters = try system.deadLetters()
    #expect(letters == [])
    await system.end()
  }
}

import ObjectServer
import PostgresClientTestSupport
import ServerCluster
import TestKit
import Testing

@Suite("limits of accounts while the database is away", .serialized, .enabled(if: PostgresServer.isThere))
struct AccountLimitsAwayTests {
  @Test("nothing is admitted while the database is away; the counts are there when it is back")
  func away() async throws {
    let server = try await PostgresServer()
    let address = server.address()
    let event = AccountEvent.login(name: "ann", network: "n")
    let limits = try await onOwnThread {
      let database = try ClusterDatabase(address)
      let limits = PostgresAccountLimits(database)
      for _ in 0..<3 { _ = try limits.admit(event) }
      // Counts reach the disk a moment later than they count.
      _ = try database.perform { try $0.query("CHECKPOINT") }
      return limits
    }
    await server.kill()
    // Sessions of a server that was killed take a moment to end.
    try await eventually("the end of the sessions") {
      try await onOwnThread { (try? limits.admit(.passwordChange(user: "ann"))) == nil }
    }
    let error = await #expect(throws: ServerError.self) { try await onOwnThread { _ = try limits.admit(event) } }
    #expect(error?.code == .clusterFailure)
    try await server.start()
    let admitted = try await onOwnThread { try (0..<4).map { _ in try limits.admit(event).wait == .zero } }
    #expect(admitted == [true, true, true, false])
    await server.remove()
  }
}

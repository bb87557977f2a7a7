import ObjectServer
import PostgresClient
import PostgresClientTestSupport
import ServerCluster
import TestKit
import Testing

@Suite("the database of a cluster", .serialized, .enabled(if: PostgresServer.isThere))
struct ClusterDatabaseTests {
  @Test("nodes that begin together make the tables once, and a newer layout is refused")
  func tables() async throws {
    let server = try await PostgresServer()
    let address = server.address()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { try await onOwnThread { _ = try ClusterDatabase(address) } } }
      try await group.waitForAll()
    }
    try await onOwnThread {
      let database = try ClusterDatabase(address)
      #expect(try database.perform { try $0.query("SELECT number FROM layout").count } == 1)
      _ = try database.perform { try $0.query("UPDATE layout SET number = 1000") }
      let error = #expect(throws: ServerError.self) { _ = try ClusterDatabase(address) }
      #expect(error?.code == .clusterFailure)
    }
    await server.remove()
  }

  @Test("after the database was away, the next call connects anew")
  func reconnects() async throws {
    let server = try await PostgresServer()
    let address = server.address()
    let database = try await onOwnThread { try ClusterDatabase(address) }
    await server.kill()
    await #expect(throws: PostgresError.self) {
      try await onOwnThread { try database.perform { _ = try $0.query("SELECT 1") } }
    }
    try await server.start()
    let answer = try await onOwnThread { try database.perform { try $0.query("SELECT 1")[0, 0] } }
    #expect(answer == "1")
    await server.remove()
  }
}

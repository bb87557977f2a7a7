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

  @Test("the tables of an earlier release are brought to this one's layout")
  func upgrade() async throws {
    let server = try await PostgresServer()
    let address = server.address()
    try await onOwnThread {
      _ = try ClusterDatabase(address).perform {
        try $0.query(
          """
          DROP TABLE account_counter, known_network, cluster_key, pending_account;
          DROP FUNCTION counter_wait, counter_level, remove_expired_counters, admit_event, settle_event, pace_mail;
          ALTER TABLE node DROP COLUMN load;
          ALTER TABLE shard DROP COLUMN load;
          UPDATE layout SET number = 1
          """)
      }
      let limits = PostgresAccountLimits(try ClusterDatabase(address))
      #expect(try limits.admit(.passwordChange(user: "ann")).wait == .zero)
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

  @Test(
    "a session whose commits would not wait for the standby waits all the same; one that waits for more stays so",
    arguments: [("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"), ("remote_apply", "remote_apply")])
  func commitsWait(setting: String, expected: String) async throws {
    let server = try await PostgresServer()
    let address = server.address()
    try await onOwnThread {
      try ClusterDatabase(address).perform {
        _ = try $0.query("ALTER DATABASE postgres SET synchronous_commit = \(setting)")
      }
      #expect(try ClusterDatabase(address).perform { try $0.query("SHOW synchronous_commit")[0, 0] } == expected)
    }
    await server.remove()
  }
}

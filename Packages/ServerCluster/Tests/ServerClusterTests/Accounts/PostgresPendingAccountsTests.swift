import Foundation
import ObjectServer
import ObjectServerTestSupport
import PostgresClientTestSupport
import ServerCluster
import Synchronization
import TestKit
import Testing

@Suite("pending accounts of a cluster", .serialized, .enabled(if: PostgresServer.isThere), .onePostgres)
struct PostgresPendingAccountsTests {
  @Test(
    "what holds for all pending accounts holds for those that two nodes have", arguments: PendingAccountsLaw.allCases)
  func law(law: PendingAccountsLaw) async throws {
    try await OnePostgres.withDatabase { address in
      let nodes = try (0..<2).map { _ in PostgresPendingAccounts(try ClusterDatabase(address)) }
      try law.check(nodes[0], nodes[1])
    }
  }

  @Test("registrations of one name at several nodes at a time leave as many as one after the other")
  func race() async throws {
    let left = try await OnePostgres.withDatabase { address in
      let nodes = try (0..<4).map { _ in PostgresPendingAccounts(try ClusterDatabase(address)) }
      let failures = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 32) { number in
        let account = PendingAccount(name: "ann@example.org", passwordHash: "\(number)", createdAt: 1_000)
        do { _ = try nodes[number % 4].put(account, ident: "\(1_000 + number)", lifetime: .seconds(60)) } catch {
          failures.withLock { $0 += 1 }
        }
      }
      #expect(failures.withLock { $0 } == 0)
      return try nodes[0].registrations(
        of: "ann@example.org", at: .init(millisecondsSince1970: 1_001), lifetime: .seconds(60))
    }
    #expect(left.count == PendingAccountRules.maximumOfName)
  }
}

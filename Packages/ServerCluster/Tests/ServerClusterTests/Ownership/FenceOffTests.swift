import Foundation
import Permissions
import PostgresClientTestSupport
import Testing

@testable import ServerCluster

/// The statements with which runs of cluster faults turn the fence off, to see that its absence is found.
@Suite("the canary without a fence", .serialized, .enabled(if: PostgresServer.isThere))
struct FenceOffTests {
  static let statements = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../../../Tools/scripts/fence-off.sql")

  @Test("nodes take realms as before, and the row of a former owner is found", arguments: [false, true])
  func formerOwner(isFenced: Bool) async throws {
    try await ClusterScene.run { scene in
      let path = try RealmPath("/ann/notes")
      let old = try scene.node("a")
      if !isFenced { try scene.sql(String(contentsOf: Self.statements, encoding: .utf8)) }
      #expect(try old.ownership.acquire(path) == .here)
      let fence = try #require(old.ownership.fence(of: ShardNumber(of: path)))
      let new = try scene.node("a")
      #expect(try new.ownership.acquire(path) == .here)
      #expect(new.ownership.fence(of: fence.shard)?.epoch == fence.epoch + 1)
      let found = try new.database.perform { try $0.query(ShardFence.row, parameters: fence.parameters).count }
      #expect(found == (isFenced ? 0 : 1))
      for node in [old, new] { node.ownership.close() }
    }
  }
}

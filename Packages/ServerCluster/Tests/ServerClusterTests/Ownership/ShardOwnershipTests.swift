import Foundation
import ObjectServer
import Permissions
import PostgresClientTestSupport
import Synchronization
import TestKit
import Testing

@testable import ServerCluster

@Suite("ownership of shards", .serialized, .enabled(if: PostgresServer.isThere))
struct ShardOwnershipTests {
  @Test("of nodes that want one shard at the same time one gets it, and all agree")
  func race() async throws {
    try await ClusterScene.run { scene in
      // No node looks at the tables by itself, or gives a realm away for balance, while this runs.
      let nodes = try ["a", "b", "c"].map { try scene.node($0, lease: .seconds(3_000), interval: .seconds(1_000)) }
      for number in 0..<20 {
        let path = try RealmPath("/ann/realm\(number)")
        let answers = Mutex<[ServerNode: RealmPlace]>([:])
        DispatchQueue.concurrentPerform(iterations: 3) { index in
          let ownership = nodes[index].ownership
          let place = try? ownership.acquire(path)
          answers.withLock { $0[ownership.node] = place }
        }
        let owners = nodes.map(\.ownership).filter { $0.place(of: path) == .here }
        #expect(owners.count == 1)
        let owner = try #require(owners.first?.node)
        for ownership in nodes.map(\.ownership) {
          let expected = ownership.node == owner ? RealmPlace.here : .node(owner)
          #expect(answers.withLock { $0[ownership.node] } == expected)
          #expect(ownership.place(of: path) == expected)
        }
      }
      for node in nodes { node.ownership.close() }
    }
  }

  @Test("a node that starts again is another one: what it had is free, and its old self writes nothing")
  func restart() async throws {
    try await ClusterScene.run { scene in
      let path = try RealmPath("/ann/notes")
      let old = try scene.node("a")
      #expect(try old.ownership.acquire(path) == .here)
      let new = try scene.node("a")
      #expect(try new.ownership.acquire(path) == .here)
      let shard = ShardNumber(of: path)
      let (before, after) = (try #require(old.ownership.fence(of: shard)), try #require(new.ownership.fence(of: shard)))
      #expect(after.epoch == before.epoch + 1)
      #expect(after.incarnation == before.incarnation + 1)
      #expect(new.ownership.refusal == nil)
      // A balancer that asks whether the old self is ready sends its clients elsewhere.
      for _ in 0..<3_000 where old.ownership.refusal == nil { Thread.sleep(forTimeInterval: 0.01) }
      #expect(old.ownership.refusal?.contains("under the name of this node") == true)
      new.ownership.close()
      old.ownership.close()
    }
  }

  @Test("what an operator moves is closed, given away, and known on both sides")
  func moved() async throws {
    try await ClusterScene.run { scene in
      let path = try RealmPath("/ann/notes")
      let (a, b) = (try scene.node("a", lease: .seconds(3)), try scene.node("b", lease: .seconds(3)))
      #expect(try a.ownership.acquire(path) == .here)
      let closed = Mutex(0)
      a.ownership.whenLeaving { left, done in
        if left(path) { closed.withLock { $0 += 1 } }
        done()
      }
      try scene.sql("UPDATE shard SET wanted = 'b'")
      for _ in 0..<3_000 where b.ownership.place(of: path) != .here { Thread.sleep(forTimeInterval: 0.01) }
      #expect(b.ownership.place(of: path) == .here)
      #expect(closed.withLock { $0 } == 1)
      #expect(a.ownership.place(of: path) == .node(b.ownership.node))
      a.ownership.close()
      b.ownership.close()
    }
  }

  @Test("a node that drains gives all away and takes none")
  func drains() async throws {
    try await ClusterScene.run { scene in
      let (a, b) = (try scene.node("a", lease: .seconds(3)), try scene.node("b", lease: .seconds(3)))
      let paths = try (0..<30).map { try RealmPath("/ann/realm\($0)") }
      for path in paths { #expect(try a.ownership.acquire(path) == .here) }
      try scene.sql("UPDATE node SET draining = true WHERE name = 'a'")
      func left() -> Int { paths.count { b.ownership.place(of: $0) != .here } }
      for _ in 0..<3_000 where left() > 0 { Thread.sleep(forTimeInterval: 0.01) }
      #expect(left() == 0)
      #expect(try a.ownership.acquire(try RealmPath("/ann/new")) == .nobody)
      a.ownership.close()
      b.ownership.close()
    }
  }

  @Test("a node whose realms cost more than those of others gives one away, with what it cost")
  func load() async throws {
    try await ClusterScene.run { scene in
      let (a, b) = (try scene.node("a", lease: .seconds(3)), try scene.node("b", lease: .seconds(3)))
      // As many as no node gives away for their number.
      let paths = try (0..<2).map { try RealmPath("/ann/realm\($0)") }
      for path in paths { #expect(try a.ownership.acquire(path) == .here) }
      // More than the jobs of a second can cost, so that the mean of the first step says it already; all of it in one step.
      a.ownership.state.withLock { state in
        for (path, cost) in zip(paths, [50, 30]) { state.loads.add(.seconds(cost), of: ShardNumber(of: path)) }
      }
      func isAtB(_ path: RealmPath) -> Bool { b.ownership.place(of: path) == .here }
      for _ in 0..<3_000 where !paths.contains(where: isAtB) { Thread.sleep(forTimeInterval: 0.01) }
      // The one by which the larger load becomes smaller.
      #expect(paths.map(isAtB) == [false, true])
      func load(_ name: String) throws -> Int64? {
        try scene.sql("SELECT load FROM node WHERE name = '\(name)'").integer(0, 0)
      }
      for _ in 0..<3_000 {
        if try load("b") != 0 { break }
        Thread.sleep(forTimeInterval: 0.01)
      }
      #expect(try #require(try load("b")) > 200)
      a.ownership.close()
      b.ownership.close()
    }
  }

  @Test(
    "a shard keeps its load when its new owner needs it before it reads the tables, and has none when nobody gave it")
  func loadOfGiven() async throws {
    try await ClusterScene.run { scene in
      let node = try scene.node("a")
      let paths = try (0..<2).map { try RealmPath("/ann/realm\($0)") }
      for (path, owner) in zip(paths, ["a", "z"]) {
        try scene.sql(
          """
          INSERT INTO shard(number, node, incarnation, epoch, load)
          VALUES (\(ShardNumber(of: path).rawValue), '\(owner)', 1, 3, 400)
          """)
        #expect(try node.ownership.acquire(path) == .here)
      }
      let loads = node.ownership.state.withLock { state in paths.map { state.loads[ShardNumber(of: $0)] } }
      #expect(loads[0] > 300)
      #expect(loads[1] == 0)
      node.ownership.close()
    }
  }

  @Test("a node that does not say its load gets nothing for it")
  func unknownLoad() async throws {
    try await ClusterScene.run { scene in
      let a = try scene.node("a", lease: .seconds(3))
      try scene.sql(
        """
        INSERT INTO node(name, incarnation, address, expires, release)
        VALUES ('old', 1, 'http://127.0.0.1:1/old', 'infinity', '')
        """)
      let paths = try (0..<2).map { try RealmPath("/ann/realm\($0)") }
      for path in paths {
        #expect(try a.ownership.acquire(path) == .here)
        a.ownership.worked(on: path, for: .seconds(50))
      }
      func load() throws -> Int64? { try scene.sql("SELECT load FROM node WHERE name = 'a'").integer(0, 0) }
      for _ in 0..<3_000 {
        if try load() != 0 { break }
        Thread.sleep(forTimeInterval: 0.01)
      }
      a.ownership.renew()
      #expect(paths.allSatisfy { a.ownership.place(of: $0) == .here })
      a.ownership.close()
    }
  }

  @Test("a lease ends here before it ends there, and a later renewal does not shorten it")
  func lease() {
    var lease = Lease(.seconds(10))
    let start = ContinuousClock.now
    #expect(!lease.isHeld(at: start))
    lease.renewed(askedAt: start)
    #expect(lease.isHeld(at: start + .seconds(8)))
    #expect(!lease.isHeld(at: start + .seconds(9)))
    lease.renewed(askedAt: start - .seconds(5))
    #expect(lease.isHeld(at: start + .seconds(8)))
    lease.lost()
    #expect(!lease.isHeld(at: start))
  }
}

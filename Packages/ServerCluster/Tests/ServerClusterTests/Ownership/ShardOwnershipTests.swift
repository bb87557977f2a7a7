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
      let nodes = try ["a", "b", "c"].map { try scene.node($0) }
      for number in 0..<20 {
        let path = try RealmPath("/ann/realm\(number)")
        let places = Mutex<[RealmPlace]>([])
        DispatchQueue.concurrentPerform(iterations: 3) { place in
          if let found = try? nodes[place].ownership.acquire(path) { places.withLock { $0.append(found) } }
        }
        let owners = nodes.filter { $0.ownership.place(of: path) == .here }
        #expect(owners.count == 1)
        let owner = try #require(owners.first?.ownership.node)
        #expect(places.withLock { $0.filter { $0 != .here } } == [.node(owner), .node(owner)])
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

@Suite("balance of shards")
struct ShardBalanceTests {
  private static func shards(_ range: Range<Int>) -> [ShardNumber] { range.compactMap { ShardNumber($0) } }

  @Test("a new node gets shards until both have about as many, a step at a time")
  func newNode() {
    var (a, b) = (200, 0)
    var steps = 0
    while true {
      let moves = ShardBalance.moves(of: "a", Self.shards(0..<a), counts: ["a": a, "b": b])
      guard !moves.isEmpty else { break }
      #expect(moves.count <= ShardBalance.step)
      a -= moves.count
      b += moves.count
      steps += 1
      #expect(steps < 10)
    }
    #expect(abs(a - b) <= 12)
    #expect(a + b == 200)
  }

  @Test("nodes that have about as many keep them, and one alone keeps all")
  func rest() {
    #expect(ShardBalance.moves(of: "a", Self.shards(0..<105), counts: ["a": 105, "b": 100]).isEmpty)
    #expect(ShardBalance.moves(of: "a", Self.shards(0..<105), counts: ["a": 105]).isEmpty)
    #expect(ShardBalance.moves(of: "a", Self.shards(0..<1), counts: ["a": 1, "b": 0]).isEmpty)
  }

  @Test("a node that drains gives to those that have least")
  func drains() {
    let moves = ShardBalance.moves(of: "a", Self.shards(0..<10), counts: ["b": 8, "c": 2])
    #expect(moves.count == 10)
    #expect(moves.count { $0.target == "c" } == 8)
    #expect(ShardBalance.moves(of: "a", Self.shards(0..<10), counts: [:]).isEmpty)
  }
}

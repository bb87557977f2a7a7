import TestKit
import Testing

@testable import ServerCluster

@Suite("balance of load")
struct LoadBalanceTests {
  private static func loads(_ values: [Int64]) -> [ShardNumber: Int64] {
    values.enumerated().reduce(into: [:]) { loads, value in
      if let shard = ShardNumber(value.offset) { loads[shard] = value.element }
    }
  }

  @Test(
    "the largest shard goes that costs at most half of the difference, to the node with the least load",
    arguments: [
      // My shards, the loads of the others, the shard that goes, and to whom.
      ([300, 200, 100], ["b": 0], 0, "b"),
      ([500, 200], ["b": 100], 1, "b"),
      ([300, 300], ["b": 0], 0, "b"),
      ([300, 300], ["b": 100, "c": 50], nil, ""),
      ([250, 250, 100], ["b": 100, "c": 50], 0, "c"),
      // One realm alone makes the load: it would only change its place. So would what costs nothing.
      ([900], ["b": 0], nil, ""),
      ([900, 9], ["b": 0], nil, ""),
      ([900, 10], ["b": 0], 1, "b"),
      // About the same load.
      ([100, 100], ["b": 0], nil, ""),
      ([101, 100], ["b": 0], 1, "b"),
      ([400, 400], ["b": 600], nil, ""),
      ([400, 404], ["b": 600], nil, ""),
      ([500, 500, 100], ["b": 880], nil, ""),
      // Another node has more: it gives first.
      ([300, 300], ["b": 700, "c": 0], nil, ""),
      ([300, 300], [:], nil, ""),
    ] as [([Int64], [String: Int64], Int?, String)])
  func table(mine: [Int64], others: [String: Int64], shard: Int?, target: String) {
    let loads = others.merging(["a": mine.reduce(0, +)]) { first, _ in first }
    let move = LoadBalance.move(of: "a", Self.loads(mine), loads: loads)
    #expect(move?.shard.rawValue == shard)
    #expect(move.map(\.target) ?? "" == target)
    // A node that is not among them gives nothing: it drains, or was never heard of.
    #expect(LoadBalance.move(of: "z", Self.loads(mine), loads: loads) == nil)
  }

  @Test("the law: each move makes the larger of the two loads smaller, and moves come to an end", arguments: 0..<200)
  func law(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let names = (0..<Int.random(in: 2...5, using: &random)).map { "node\($0)" }
    var owners: [ShardNumber: String] = [:]
    var costs: [ShardNumber: Int64] = [:]
    for number in 0..<Int.random(in: 1...60, using: &random) {
      let shard = try #require(ShardNumber(number))
      owners[shard] = names.randomElement(using: &random)
      costs[shard] = Int64.random(in: 0...(Bool.random(using: &random) ? 1_000 : 50), using: &random)
    }
    func loads() -> [String: Int64] {
      owners.reduce(into: names.reduce(into: [:]) { $0[$1] = 0 }) { $0[$1.value, default: 0] += costs[$1.key] ?? 0 }
    }
    for step in 0..<1_000 {
      let before = loads()
      let moves = names.compactMap { name in
        let mine = costs.filter { owners[$0.key] == name }
        return LoadBalance.move(of: name, mine, loads: before).map { (name, $0.shard, $0.target) }
      }
      // One node at a time.
      #expect(moves.count <= 1)
      guard let (name, shard, target) = moves.first else { return }
      #expect(owners[shard] == name)
      owners[shard] = target
      let after = loads()
      #expect(max(after[name] ?? 0, after[target] ?? 0) < before[name] ?? 0)
      #expect(step < 999, "moves go on")
    }
  }
}

@Suite("loads of shards")
struct ShardLoadsTests {
  @Test("a mean knows half of a change after its half-life, and forgets what stopped")
  func halves() throws {
    let start = ContinuousClock.now
    let shard = try #require(ShardNumber(7))
    var loads = ShardLoads(at: start)
    loads.add(.seconds(10), of: shard)
    #expect(loads[shard] == 0)
    loads.advance(to: start + .seconds(20))
    // Ten seconds in twenty are half a processor.
    #expect(loads[shard] == 250)
    loads.add(.seconds(10), of: shard)
    loads.advance(to: start + .seconds(40))
    #expect(loads[shard] == 375)
    loads.advance(to: start + .seconds(60))
    #expect(loads[shard] == 188)
    loads.advance(to: start + .seconds(400))
    #expect(loads[shard] == 0)
    #expect(loads.total == 0)
  }

  @Test("steps of any length say the same of work that goes on evenly")
  func steps() throws {
    let start = ContinuousClock.now
    let shard = try #require(ShardNumber(7))
    for milliseconds in [250, 1_000, 7_000] {
      var loads = ShardLoads(at: start)
      for step in 1...(280_000 / milliseconds) {
        loads.add(.milliseconds(milliseconds) * 3 / 10, of: shard)
        loads.advance(to: start + .milliseconds(milliseconds) * step)
      }
      #expect(loads[shard] == 300)
    }
  }

  @Test("a shard begins with what it cost before, and one that left is forgotten; a standing clock changes nothing")
  func begins() throws {
    let start = ContinuousClock.now
    let (kept, left) = (try #require(ShardNumber(1)), try #require(ShardNumber(2)))
    var loads = ShardLoads(at: start)
    loads.begin(kept, at: 400)
    loads.begin(left, at: 300)
    #expect(loads.total == 700)
    loads.add(.seconds(1), of: left)
    loads.advance(to: start)
    #expect(loads.total == 700)
    loads.advance(to: start + .seconds(20)) { $0 == kept }
    #expect(loads[kept] == 200)
    #expect(loads[left] == 0)
    #expect(loads.total == 200)
  }
}

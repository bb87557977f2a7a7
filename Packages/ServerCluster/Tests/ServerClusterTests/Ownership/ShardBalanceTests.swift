import Testing

@testable import ServerCluster

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

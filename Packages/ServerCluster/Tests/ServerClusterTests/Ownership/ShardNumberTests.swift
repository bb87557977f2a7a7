import Permissions
import ServerCluster
import Testing

@Suite("shards")
struct ShardNumberTests {
  @Test("a realm is in one shard, whoever asks, and its partial views with it")
  func stable() throws {
    #expect(ShardNumber(of: try RealmPath("/ann/todo")) == ShardNumber(of: try RealmPath("/ann/todo")))
    let view = try RealmPath("/ann/todo/__partial/bob/device")
    #expect(ShardNumber(of: view) == ShardNumber(of: try RealmPath("/ann/todo")))
  }

  @Test("40,960 realms spread over the shards")
  func spread() throws {
    var counts = [Int](repeating: 0, count: ShardNumber.count)
    for number in 0..<40_960 { counts[ShardNumber(of: try RealmPath("/user\(number)/todo")).rawValue] += 1 }
    #expect(counts.max() ?? 0 < 40)
    #expect(counts.filter { $0 == 0 }.count < 10)
  }

  @Test("numbers outside of the shards are none")
  func bounds() {
    #expect(ShardNumber(-1) == nil)
    #expect(ShardNumber(4_096) == nil)
    #expect(ShardNumber(4_095)?.rawValue == 4_095)
  }
}

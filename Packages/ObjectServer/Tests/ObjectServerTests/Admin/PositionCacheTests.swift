@testable import ObjectServer
import RecordStore
import Testing

@Suite("The orders that are remembered") struct PositionCacheTests {
  private static func key(_ number: Int, _ text: String = "") -> PositionCache.Key {
    PositionCache.Key(realm: "/a", version: 1, className: "Dog", query: "id == \(number)\(text)")
  }

  private static let one = ObjectPositions(className: "Dog", rows: [])

  @Test("their number is bounded, however small they are, and the one used last stays")
  func number() {
    let cache = PositionCache()
    for number in 0..<2 * PositionCache.mostOrders {
      _ = cache.positions(Self.key(number)) { Self.one }
      _ = cache.positions(Self.key(0)) { Self.one }
    }
    #expect(cache.held.orders == PositionCache.mostOrders)
    var isMade = false
    _ = cache.positions(Self.key(0)) {
      isMade = true
      return Self.one
    }
    #expect(!isMade)
  }

  @Test("the texts of queries count as what they are")
  func texts() {
    let cache = PositionCache()
    let text = " OR name == '" + String(repeating: "x", count: 1 << 20) + "'"
    for number in 0..<100 { _ = cache.positions(Self.key(number, text)) { Self.one } }
    #expect(cache.held.orders == 63)
    #expect(cache.held.bytes <= PositionCache.limit)
    cache.forget("/a")
    #expect(cache.held == (0, 0))
  }
}

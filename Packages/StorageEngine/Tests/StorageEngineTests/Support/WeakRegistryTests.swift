import StorageEngine
import TestKit
import Testing

@Suite struct WeakRegistryTests {
  @Test("a key has the first object that was added, until its last reference is gone")
  func keys() {
    let registry = WeakRegistry<Int, Member>()
    #expect(registry[1] == nil)
    do {
      let first = Member(registry, 1)
      let second = Member(registry, 1)
      #expect(registry[1] === first)
      #expect(registry.add(second, for: 1) === first)
      registry.remove(second, for: 1)
      #expect(registry[1] === first)
      #expect(registry[2] == nil)
    }
    #expect(registry[1] == nil)
    let third = Member(registry, 1)
    #expect(registry[1] === third)
  }

  @Test("an object without references is gone while others are added and removed")
  func others() {
    let registry = WeakRegistry<Int, Member>()
    let load = BackgroundLoad { _ = Member(registry, 2) }
    defer { load.stop() }
    var survivals = 0
    for _ in 0..<100_000 {
      do { _ = Member(registry, 1) }
      if registry[1] != nil { survivals += 1 }
    }
    #expect(survivals == 0)
  }
}

private final class Member: Sendable {
  private let registry: WeakRegistry<Int, Member>
  private let key: Int

  init(_ registry: WeakRegistry<Int, Member>, _ key: Int) {
    self.registry = registry
    self.key = key
    registry.add(self, for: key)
  }

  deinit { registry.remove(self, for: key) }
}

import TestKit
import Testing
import Transport

@Suite("The receive pool keeps many peers within a limit")
struct ReceivePoolTests {
  static let limit = 1 << 20

  /// A peer that sends messages of random sizes, in random pieces.
  struct Peer {
    let ident: ReceivePool.Ident
    var messages: [Int]
    var held = 0
    var isWaiting = false
    /// Sends nothing any more.
    var isStuck = false

    var isDone: Bool { messages.isEmpty || isStuck }
  }

  @Test("the limit holds, and every message arrives", arguments: Seeds.some(60))
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pool = ReceivePool(limit: Self.limit)
    let largest = Self.limit * Int.random(in: 1...4, using: &random)
    var peers = (0..<Int.random(in: 1...40, using: &random)).map { number in
      Peer(
        ident: pool.open(group: "user \(number % 7)"),
        messages: (0..<3).map { _ in
          Bool.random(using: &random)
            ? Int.random(in: 1...8_000, using: &random) : Int.random(in: 1...largest, using: &random)
        })
    }
    let bound = Self.limit + peers.count * ReceivePool.floor + largest
    var steps = 0
    while let index = peers.indices.filter({ !peers[$0].isDone && !peers[$0].isWaiting }).randomElement(using: &random)
    {
      steps += 1
      guard steps < 100_000 else { break }
      let room = pool.room(for: peers[index].ident, atMost: Int.random(in: 1...65_536, using: &random))
      peers[index].isWaiting = room == 0
      if room > 0 { Self.receive(room, &peers[index], &pool) }
      #expect(pool.total <= bound, "SEED=\(seed)")
      for ident in pool.wake() { peers[peers.firstIndex { $0.ident == ident } ?? 0].isWaiting = false }
    }
    #expect(peers.allSatisfy { $0.isDone }, "SEED=\(seed): somebody waits for ever")
    #expect(pool.total == 0, "SEED=\(seed)")
    for peer in peers { pool.close(peer.ident) }
    #expect(!pool.hasWaiting, "SEED=\(seed)")
  }

  private static func receive(_ count: Int, _ peer: inout Peer, _ pool: inout ReceivePool) {
    guard let size = peer.messages.first else { return }
    peer.held += count
    if peer.held >= size {
      // The next message has not begun.
      peer.messages.removeFirst()
      peer.held = 0
    }
    pool.hold(peer.ident, peer.held, received: count)
  }

  @Test("each peer may take as much as it leaves free, so that a new peer finds a share")
  func shares() {
    var pool = ReceivePool(limit: Self.limit)
    for count in 1...7 {
      let ident = pool.open(group: "peer \(count)")
      var held = 0
      // The turn is given when nobody waits: so one waits all the time.
      if count == 1 { fill(&pool, ident: pool.open(group: "waits"), with: 3 << 20) }
      while true {
        let room = pool.room(for: ident, atMost: 1_024)
        guard room > 0 else { break }
        held += room
        pool.hold(ident, held, received: room)
      }
      #expect(held > ReceivePool.floor)
    }
    #expect(pool.held <= Self.limit)
  }

  private func fill(_ pool: inout ReceivePool, ident: ReceivePool.Ident, with bytes: Int) {
    var held = 0
    while held < bytes {
      let room = pool.room(for: ident, atMost: 65_536)
      held += room
      pool.hold(ident, held, received: room)
    }
  }

  @Test("small messages come through while a large one takes everything")
  func floor() {
    var pool = ReceivePool(limit: Self.limit)
    pool.occupied = Self.limit
    fill(&pool, ident: pool.open(group: "large"), with: 4 << 20)
    let small = pool.open(group: "small")
    #expect(pool.room(for: small, atMost: 65_536) == ReceivePool.floor)
    pool.hold(small, ReceivePool.floor, received: ReceivePool.floor)
    #expect(pool.room(for: small, atMost: 65_536) == 0)
  }

  @Test("groups get the overdraft in rotation, however many connections one of them has")
  func turns() {
    var pool = ReceivePool(limit: 0)
    let first = pool.open(group: "many")
    fill(&pool, ident: first, with: 10_000)
    let others = (0..<5).map { _ in pool.open(group: "many") } + [pool.open(group: "one")]
    for ident in others {
      pool.hold(ident, ReceivePool.floor, received: 0)
      #expect(pool.room(for: ident, atMost: 1) == 0)
    }
    #expect(pool.wake() == [])
    pool.close(first)
    #expect(pool.wake() == [others[5]])
    pool.close(others[5])
    #expect(pool.wake() == [others[0]])
  }

  @Test("the next overdraft waits while decoded messages take more than half of the limit")
  func work() {
    var pool = ReceivePool(limit: 1 << 16)
    pool.reserve(1 << 20)
    let ident = pool.open(group: "a")
    pool.hold(ident, 10_000, received: 10_000)
    #expect(pool.room(for: ident, atMost: 1) == 0)
    #expect(pool.wake() == [])
    pool.release((1 << 20) - (1 << 15))
    pool.occupied = 1 << 15
    #expect(pool.wake() == [ident])
  }

  @Test("a holder of the overdraft without progress is cut, and one that pauses loses it")
  func progress() {
    var pool = ReceivePool(limit: 0)
    let (slow, other) = (pool.open(group: "slow"), pool.open(group: "other"))
    fill(&pool, ident: slow, with: 10_000)
    pool.hold(other, ReceivePool.floor, received: 0)
    #expect(pool.room(for: other, atMost: 1) == 0)
    #expect(pool.tick() == [], "it had less than the time between two ticks")
    pool.hold(slow, 10_000 + ReceivePool.leastProgress, received: ReceivePool.leastProgress)
    #expect(pool.tick() == [])
    #expect(pool.tick() == [slow])
    pool.pause(slow)
    #expect(pool.overdraft == nil)
    #expect(pool.wake() == [other])
  }

  @Test("a peer that holds bytes and sends none is cut when others wait, and not before")
  func patience() {
    var pool = ReceivePool(limit: 1 << 16)
    let (stuck, turn, waits) = (pool.open(group: "stuck"), pool.open(group: "turn"), pool.open(group: "waits"))
    _ = pool.room(for: stuck, atMost: 1)
    pool.hold(stuck, 30_000, received: 30_000)
    for _ in 0..<10 { #expect(pool.tick() == []) }
    fill(&pool, ident: turn, with: 1 << 18)
    pool.hold(waits, 60_000, received: 60_000)
    #expect(pool.room(for: waits, atMost: 1) == 0)
    var cut: [ReceivePool.Ident] = []
    for _ in 0...ReceivePool.patience {
      pool.hold(turn, 1 << 18, received: ReceivePool.leastProgress)
      cut += pool.tick()
    }
    #expect(cut.first == stuck)
    #expect(!cut.contains(turn))
  }
}

@testable import ObjectServer
import Synchronization
import Telemetry
import TestKit
import Testing

/// Who waits for whom when more is to be done than there are threads.
struct WorkSchedulerTests {
  /// A piece of work: whose it is, and what it will consume.
  private struct Piece {
    var user: String
    var cost: Duration
  }

  /// Threads in a time of their own: each turn ends when its cost has passed.
  private struct Threads {
    var scheduler: WorkScheduler<Piece>
    var now = MonotonicInstant.zero
    var running: [(turn: WorkScheduler<Piece>.Turn, end: MonotonicInstant)] = []
    /// When each piece began, in order.
    var begun: [(user: String, at: MonotonicInstant)] = []

    init(heavy: Int) { scheduler = WorkScheduler(.init(heavy: heavy)) }

    mutating func submit(_ lane: UInt64, _ user: String, _ cost: Duration, bytes: Int = 100) {
      scheduler.submit(
        WorkOrder(.realm(lane), payers: [user], bytes: bytes), Piece(user: user, cost: cost), at: now)
      start()
    }

    mutating func start() {
      while let turn = scheduler.next(at: now) {
        begun.append((turn.work.user, now))
        running.append((turn, now + turn.work.cost))
      }
    }

    /// Lets the next turn end; false when none runs.
    mutating func step() -> Bool {
      guard let index = running.indices.min(by: { running[$0].end < running[$1].end }) else { return false }
      let (turn, end) = running.remove(at: index)
      now = max(now, end)
      scheduler.finished(turn, cost: turn.work.cost, at: now)
      start()
      return true
    }
  }

  @Test("beside users of endless heavy work, light work begins at once after two slices of each")
  func hostileUsers() {
    for seed in Seeds.some(50) {
      var random = SeededGenerator(seed: seed)
      var threads = Threads(heavy: Int.random(in: 1...4, using: &random))
      let hostile = Int.random(in: 1...12, using: &random)
      let realms = Int.random(in: 1...5, using: &random)
      for user in 0..<hostile {
        for realm in 0..<realms {
          for _ in 0..<200 {
            threads.submit(
              UInt64(user * 10 + realm), "h\(user)", .milliseconds(Int.random(in: 100...8_000, using: &random)))
          }
        }
      }
      // Until each is known by a turn that ended: meanwhile as many may begin that are not.
      for _ in 0..<2 * (hostile + threads.scheduler.settings.turns) { _ = threads.step() }
      var waits: [Duration] = []
      for round in 0..<20 {
        for _ in 0..<Int.random(in: 0...3, using: &random) { _ = threads.step() }
        let before = threads.now
        threads.submit(1_000 + UInt64(round), "honest", .milliseconds(2))
        waits.append(threads.begun.last.map { $0.user == "honest" ? $0.at - before : .seconds(1_000) } ?? .zero)
        // It ends before the heavy ones do, and is nearly forgotten by the next time.
        while threads.running.contains(where: { $0.turn.work.user == "honest" }) { _ = threads.step() }
      }
      #expect(waits.allSatisfy { $0 == .zero }, "SEED=\(seed): \(waits)")
    }
  }

  @Test("users who want all they can get have equal shares, however many realms each has")
  func shares() {
    var threads = Threads(heavy: 2)
    for realm in UInt64(0)..<40 { for _ in 0..<200 { threads.submit(realm, "many", .milliseconds(30)) } }
    for realm in UInt64(100)..<102 { for _ in 0..<2_000 { threads.submit(realm, "few", .milliseconds(30)) } }
    for _ in 0..<2_000 { _ = threads.step() }
    let share = threads.begun.dropFirst(10).filter { $0.user == "few" }.count
    #expect((900...1_100).contains(share), "\(share) of 2,000")
  }

  @Test("what was consumed is forgotten")
  func forgetting() {
    var threads = Threads(heavy: 1)
    threads.submit(1, "ann", .seconds(10))
    while threads.step() {}
    threads.now = threads.now + .seconds(300)
    // Eight light pieces, and nothing is left of it.
    for _ in 0..<8 { threads.submit(1, "ann", .milliseconds(1)) }
    while threads.step() {}
    // Two at once are only given to whoever is not heavy.
    threads.submit(1, "ann", .milliseconds(1))
    threads.submit(2, "ann", .milliseconds(1))
    #expect(threads.running.count == 2)
  }

  @Test("a large order is heavy before anything is known of its user")
  func largeOrders() {
    var threads = Threads(heavy: 1)
    for lane in UInt64(0)..<20 { threads.submit(lane, "new\(lane)", .seconds(5), bytes: 16 << 20) }
    #expect(threads.running.count == 1)
    threads.submit(99, "ann", .milliseconds(1))
    #expect(threads.begun.last?.user == "ann")
  }

  @Test("a lane runs one piece at a time, in order, whoever pays")
  func order() {
    for seed in Seeds.some(30) {
      var random = SeededGenerator(seed: seed)
      var scheduler = WorkScheduler<Int>(.init(heavy: 3))
      var now = MonotonicInstant.zero
      var running: [WorkScheduler<Int>.Turn] = []
      var last: [WorkLane: Int] = [:]
      var isInOrder = true
      for number in 0..<600 {
        now = now + .microseconds(Int.random(in: 0...400_000_000, using: &random))
        let lane = WorkLane.realm(UInt64.random(in: 0..<6, using: &random))
        let user = "u\(Int.random(in: 0..<4, using: &random))"
        scheduler.submit(WorkOrder(lane, payers: [user]), number, at: now)
        if !running.isEmpty, random.oneIn(2) {
          let turn = running.remove(at: Int.random(in: 0..<running.count, using: &random))
          scheduler.finished(turn, cost: .milliseconds(Int.random(in: 0...500, using: &random)), at: now)
        }
        while let turn = scheduler.next(at: now) {
          isInOrder = isInOrder && turn.work > last[turn.order.lane] ?? -1
          isInOrder = isInOrder && !running.contains { $0.order.lane == turn.order.lane }
          last[turn.order.lane] = turn.work
          running.append(turn)
        }
      }
      while let turn = running.popLast() {
        scheduler.finished(turn, cost: .zero, at: now)
        while let next = scheduler.next(at: now) { running.append(next) }
      }
      #expect(isInOrder, "SEED=\(seed)")
      #expect(scheduler.isIdle, "SEED=\(seed): everything was done")
    }
  }

  @Test("masses of users leave no masses of accounts")
  func accounts() {
    var scheduler = WorkScheduler<Int>(.init(heavy: 1))
    var now = MonotonicInstant.zero
    for number in 0..<50_000 {
      now = now + .milliseconds(5)
      scheduler.submit(WorkOrder(.realm(1), payers: ["u\(number)"]), number, at: now)
      if let turn = scheduler.next(at: now) { scheduler.finished(turn, cost: .zero, at: now) }
    }
    #expect(scheduler.accountCount <= 2 * WorkAccounts.most)
  }

  @Test("threads do all that was submitted before they stop")
  func threads() async {
    let workers = ThreadWorkers(threads: 2)
    let done = Mutex(0)
    for number in 0..<1_000 {
      workers.submit(WorkOrder(.realm(UInt64(number % 7)), payers: ["u\(number % 3)"])) { done.withLock { $0 += 1 } }
    }
    await withCheckedContinuation { continuation in workers.shutDown { continuation.resume() } }
    #expect(done.withLock { $0 } == 1_000)
  }
}

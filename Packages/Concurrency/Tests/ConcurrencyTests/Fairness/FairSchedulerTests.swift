@testable import Concurrency
import Synchronization
import Telemetry
import TestKit
import Testing

/// Order and fairness when there are more jobs than slots.
struct FairSchedulerTests {
  /// A job with its payer and its cost.
  private struct Piece {
    var user: String
    var cost: Duration
  }

  /// Threads in simulated time: each job ends when its cost has passed.
  private struct Threads {
    var scheduler: FairScheduler<Piece>
    var now = MonotonicInstant.zero
    var running: [(job: FairScheduler<Piece>.RunningJob, end: MonotonicInstant)] = []
    /// The payer and the time of the beginning of each job.
    var begun: [(user: String, at: MonotonicInstant)] = []

    init(heavy: Int) { scheduler = FairScheduler(.init(heavy: heavy)) }

    mutating func submit(_ queue: UInt64, _ user: String, _ cost: Duration, bytes: Int = 100) {
      scheduler.submit(
        JobAttributes(SerialQueue("realm", queue), payers: [user], bytes: bytes), Piece(user: user, cost: cost), at: now
      )
      start()
    }

    mutating func start() {
      while let job = scheduler.next(at: now) {
        begun.append((job.work.user, now))
        running.append((job, now + job.work.cost))
      }
    }

    /// Ends the job that is due first; false when none runs.
    mutating func step() -> Bool {
      guard let index = running.indices.min(by: { running[$0].end < running[$1].end }) else { return false }
      let (job, end) = running.remove(at: index)
      now = max(now, end)
      scheduler.finished(job, cost: job.work.cost, at: now)
      start()
      return true
    }
  }

  @Test("beside users with endless heavy jobs, light jobs begin at once after two jobs of each")
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
      // A user is known as heavy after the first job that ended; until then each may take a light slot.
      for _ in 0..<2 * (hostile + threads.scheduler.settings.slots) { _ = threads.step() }
      var waits: [Duration] = []
      for round in 0..<20 {
        for _ in 0..<Int.random(in: 0...3, using: &random) { _ = threads.step() }
        let before = threads.now
        threads.submit(1_000 + UInt64(round), "honest", .milliseconds(2))
        waits.append(threads.begun.last.map { $0.user == "honest" ? $0.at - before : .seconds(1_000) } ?? .zero)
        // The light job ends before the heavy ones; its charge has nearly decayed by the next round.
        while threads.running.contains(where: { $0.job.work.user == "honest" }) { _ = threads.step() }
      }
      #expect(waits.allSatisfy { $0 == .zero }, "SEED=\(seed): \(waits)")
    }
  }

  @Test("users with endless jobs have equal shares, regardless of the number of their queues")
  func shares() {
    var threads = Threads(heavy: 2)
    for realm in UInt64(0)..<40 { for _ in 0..<200 { threads.submit(realm, "many", .milliseconds(30)) } }
    for realm in UInt64(100)..<102 { for _ in 0..<2_000 { threads.submit(realm, "few", .milliseconds(30)) } }
    for _ in 0..<2_000 { _ = threads.step() }
    let share = threads.begun.dropFirst(10).filter { $0.user == "few" }.count
    #expect((900...1_100).contains(share), "\(share) of 2,000")
  }

  @Test("a charge decays, and eight light jobs end the expectation of heavy ones")
  func forgetting() {
    var threads = Threads(heavy: 1)
    threads.submit(1, "ann", .seconds(10))
    while threads.step() {}
    threads.now = threads.now + .seconds(300)
    for _ in 0..<8 { threads.submit(1, "ann", .milliseconds(1)) }
    while threads.step() {}
    // Only a light account may take both slots.
    threads.submit(1, "ann", .milliseconds(1))
    threads.submit(2, "ann", .milliseconds(1))
    #expect(threads.running.count == 2)
  }

  @Test("a job with many bytes is heavy before its payer is known")
  func largeJobs() {
    var threads = Threads(heavy: 1)
    for queue in UInt64(0)..<20 { threads.submit(queue, "new\(queue)", .seconds(5), bytes: 16 << 20) }
    #expect(threads.running.count == 1)
    threads.submit(99, "ann", .milliseconds(1))
    #expect(threads.begun.last?.user == "ann")
  }

  @Test("a queue runs one job at a time, in order, regardless of the payers")
  func order() {
    for seed in Seeds.some(30) {
      var random = SeededGenerator(seed: seed)
      var scheduler = FairScheduler<Int>(.init(heavy: 3))
      var now = MonotonicInstant.zero
      var running: [FairScheduler<Int>.RunningJob] = []
      var last: [SerialQueue: Int] = [:]
      var isInOrder = true
      for number in 0..<600 {
        now = now + .microseconds(Int.random(in: 0...400_000_000, using: &random))
        let queue = SerialQueue("realm", UInt64.random(in: 0..<6, using: &random))
        let user = "u\(Int.random(in: 0..<4, using: &random))"
        scheduler.submit(JobAttributes(queue, payers: [user]), number, at: now)
        if !running.isEmpty, random.oneIn(2) {
          let job = running.remove(at: Int.random(in: 0..<running.count, using: &random))
          scheduler.finished(job, cost: .milliseconds(Int.random(in: 0...500, using: &random)), at: now)
        }
        while let job = scheduler.next(at: now) {
          isInOrder = isInOrder && job.work > last[job.attributes.queue] ?? -1
          isInOrder = isInOrder && !running.contains { $0.attributes.queue == job.attributes.queue }
          last[job.attributes.queue] = job.work
          running.append(job)
        }
      }
      while let job = running.popLast() {
        scheduler.finished(job, cost: .zero, at: now)
        while let next = scheduler.next(at: now) { running.append(next) }
      }
      #expect(isInOrder, "SEED=\(seed)")
      #expect(scheduler.isIdle, "SEED=\(seed): everything was done")
    }
  }

  @Test("the number of accounts is bounded under 50,000 users")
  func accounts() {
    var scheduler = FairScheduler<Int>(.init(heavy: 1))
    var now = MonotonicInstant.zero
    for number in 0..<50_000 {
      now = now + .milliseconds(5)
      scheduler.submit(JobAttributes(SerialQueue("realm", 1), payers: ["u\(number)"]), number, at: now)
      if let job = scheduler.next(at: now) { scheduler.finished(job, cost: .zero, at: now) }
    }
    #expect(scheduler.accountCount <= 2 * UsageAccounts.maximumCount)
  }

  @Test("a queue that always has more jobs holds nothing of those that ended")
  func release() {
    final class Content: Sendable {
      let whenReleased: @Sendable () -> Void
      init(_ whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }
      deinit { whenReleased() }
    }
    var scheduler = FairScheduler<Content>(.init(heavy: 1))
    let released = Mutex(0)
    let job = JobAttributes(SerialQueue("a"))
    scheduler.submit(job, Content {}, at: .zero)
    for count in 1...200 {
      scheduler.submit(job, Content { released.withLock { $0 += 1 } }, at: .zero)
      let running = scheduler.next(at: .zero)
      if let running { scheduler.finished(running, cost: .zero, at: .zero) }
      #expect(released.withLock { $0 } >= count - 2)
    }
  }

  @Test("the cost of a job is divided by the weight of its queue")
  func weight() {
    var scheduler = FairScheduler<String>(.init(heavy: 1))
    for queue in [SerialQueue("plain"), SerialQueue("heavyweight", weight: 10)] {
      for name in ["first", "second"] { scheduler.submit(JobAttributes(queue), "\(queue.label) \(name)", at: .zero) }
    }
    var begun: [String] = []
    while let job = scheduler.next(at: .zero) {
      begun.append(job.work)
      scheduler.finished(job, cost: .milliseconds(10), at: .zero)
    }
    #expect(begun == ["plain first", "heavyweight first", "heavyweight second", "plain second"])
  }
}

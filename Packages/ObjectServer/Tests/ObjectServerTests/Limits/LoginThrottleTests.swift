@testable import ObjectServer
import Telemetry
import TestKit
import Testing

@Suite("guessing passwords")
struct LoginThrottleTests {
  private static func instant(_ seconds: Double) -> MonotonicInstant { .zero + .milliseconds(Int64(seconds * 1_000)) }

  /// RUNS: seeds.
  @Test(
    "within an hour a name is guessed at a bounded number of times, from however many networks and beside however many names",
    arguments: Seeds.some(4))
  func bound(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // As many guesses for each entry that is kept as a server can hash in an hour for each of its own.
    var throttle = LoginThrottle(capacity: 1_000)
    var guesses: [Double] = []
    var kept = 0
    let networks = [1, 7, 300, 100_000][Int(seed % 4)], names = [1, 30, 5_000][Int(seed % 3)]
    for step in 0..<(2 * 7_200) {
      let seconds = Double(step) * 0.5
      let now = Self.instant(seconds)
      let network = "n\(Int.random(in: 0..<networks, using: &random))"
      if throttle.wait(name: "ann", network: network, at: now) == .zero {
        throttle.failed(name: "ann", network: network, at: now)
        guesses.append(seconds)
      }
      let other = "o\(Int.random(in: 0..<names, using: &random))"
      if throttle.wait(name: other, network: network, at: now) == .zero {
        throttle.failed(name: other, network: network, at: now)
      }
      kept = max(kept, throttle.counts.pairs, throttle.counts.names)
    }
    #expect(kept <= 1_000, "SEED=\(seed)")
    var first = 0
    let worst = guesses.indices.map { last in
      while guesses[last] >= guesses[first] + 3_600 { first += 1 }
      return last - first + 1
    }.max()
    #expect(worst ?? 0 <= LoginThrottle.guessesPerHour, "SEED=\(seed)")
    // No name is locked for good: there is always a next attempt.
    #expect(throttle.wait(name: "ann", network: "new", at: Self.instant(7_200)) <= .seconds(300))
    #expect(guesses.count >= 10, "SEED=\(seed)")
  }

  /// RUNS: seeds.
  @Test("where the owner logged in before, the wait is short, whatever others do elsewhere", arguments: Seeds.some(6))
  func owner(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var throttle = LoginThrottle(capacity: 1_000)
    throttle.succeeded(name: "ann", network: "home", at: .zero)
    var seconds = 1.0
    var longest = Duration.zero
    var isOpenAfterwards = true
    for _ in 0..<4_000 {
      seconds += Double.random(in: 0...3, using: &random)
      let now = Self.instant(seconds)
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        // Ann, who mistypes now and then.
        let wait = throttle.wait(name: "ann", network: "home", at: now)
        longest = max(longest, wait)
        isOpenAfterwards = isOpenAfterwards && throttle.wait(name: "ann", network: "home", at: now + wait) == .zero
        guard wait == .zero else { continue }
        if Bool.random(using: &random) {
          throttle.failed(name: "ann", network: "home", at: now)
        } else {
          throttle.succeeded(name: "ann", network: "home", at: now)
          isOpenAfterwards = isOpenAfterwards && throttle.wait(name: "ann", network: "home", at: now) == .zero
        }
      default:
        let network = "n\(Int.random(in: 0..<500, using: &random))"
        let name = random.oneIn(3) ? "o\(Int.random(in: 0..<9_000, using: &random))" : "ann"
        if throttle.wait(name: name, network: network, at: now) == .zero {
          throttle.failed(name: name, network: network, at: now)
        }
      }
    }
    #expect(longest <= LoginThrottle.longestOwnWait, "SEED=\(seed)")
    #expect(isOpenAfterwards, "SEED=\(seed)")
  }

  @Test("the least dangerous entries are dropped first, and never all of them")
  func eviction() {
    var delays = FailureDelays<Int>(
      DelayRule(free: 3, first: .seconds(1), cap: .seconds(60), forgiving: .seconds(120)), capacity: 80)
    for _ in 0..<10 { delays.failed(-1, at: Self.instant(1)) }
    var counts: [Int] = []
    for key in 0..<5_000 {
      delays.failed(key, at: Self.instant(2))
      counts.append(delays.count)
    }
    #expect(counts.max() ?? 0 <= 80)
    #expect(counts.dropFirst(60).min() ?? 0 >= 60)
    #expect(delays.failures(-1, at: Self.instant(3)) == 10)
    var limit = RateLimit(RateRule(perSecond: 0.001, burst: 3))
    for _ in 0..<3 { _ = limit.admits("guesser", at: Self.instant(1)) }
    for key in 0..<(RateLimit.maximumKeys + 10) { _ = limit.admits("n\(key)", at: Self.instant(2)) }
    #expect(!limit.hasRoom("guesser", at: Self.instant(3)))
    #expect(limit.count <= RateLimit.maximumKeys)
    #expect(limit.count > RateLimit.maximumKeys / 2)
  }

  @Test("delays double up to the cap, and quiet time forgives")
  func delays() {
    var delays = FailureDelays<String>(
      DelayRule(free: 2, first: .seconds(1), cap: .seconds(10), forgiving: .seconds(20)))
    var waits: [Int64] = []
    for _ in 0..<8 {
      delays.failed("a", at: Self.instant(5))
      waits.append(delays.wait("a", at: Self.instant(5)).components.seconds)
    }
    #expect(waits == [0, 0, 1, 2, 4, 8, 10, 10])
    #expect(delays.wait("a", at: Self.instant(9)) == .seconds(6))
    #expect(delays.wait("b", at: Self.instant(9)) == .zero)
    #expect(delays.failures("a", at: Self.instant(5 + 61)) == 5)
    delays.forget("a")
    #expect(delays.failures("a", at: Self.instant(9)) == 0)
  }

  @Test("a network's known names, and a name's networks, are bounded; one place with many accounts pushes out its own")
  func known() {
    var known = KnownNetworks(capacity: 500)
    known.add("home", of: "ann", at: Self.instant(1))
    for number in 0..<1_000 { known.add("farm", of: "bot\(number)", at: Self.instant(2 + Double(number))) }
    #expect(known.contains("home", of: "ann"))
    #expect(known.count <= 500)
    #expect(!known.contains("farm", of: "bot0"))
    #expect(known.contains("farm", of: "bot999"))
    for number in 0..<20 { known.add("n\(number)", of: "ann", at: Self.instant(2_000 + Double(number))) }
    #expect(!known.contains("home", of: "ann"))
    #expect((12..<20).allSatisfy { known.contains("n\($0)", of: "ann") })
  }
}

import Telemetry

/// Slows down who guesses passwords, as a value: failures fill a bucket per user name and one per address, time empties
/// them, and a full bucket refuses.
struct LoginThrottle: Sendable {
  struct Bucket: Sendable {
    var fill: Double
    var updated: MonotonicInstant
  }
  struct Rule: Sendable {
    var capacity: Double
    /// Failures forgotten per second.
    var drain: Double
  }

  static let nameRule = Rule(capacity: 10, drain: 0.2)
  static let addressRule = Rule(capacity: 100, drain: 2)
  /// The most buckets kept; beyond it those that have drained are dropped, then all.
  static let maximumBuckets = 20_000

  private var buckets: [String: Bucket] = [:]

  /// Whether an attempt may be made now.
  func admits(name: String, address: String, at now: MonotonicInstant) -> Bool {
    fill("n:" + name, Self.nameRule, now) + 1 <= Self.nameRule.capacity
      && fill("a:" + address, Self.addressRule, now) + 1 <= Self.addressRule.capacity
  }

  /// Counts a failure.
  mutating func failed(name: String, address: String, at now: MonotonicInstant) {
    for (key, rule) in [("n:" + name, Self.nameRule), ("a:" + address, Self.addressRule)] {
      buckets[key] = Bucket(fill: fill(key, rule, now) + 1, updated: now)
    }
    if buckets.count > Self.maximumBuckets { prune(now) }
  }

  /// Forgets the failures of a name after a success; those of the address stay.
  mutating func succeeded(name: String) { buckets["n:" + name] = nil }

  private func fill(_ key: String, _ rule: Rule, _ now: MonotonicInstant) -> Double {
    guard let bucket = buckets[key] else { return 0 }
    let seconds = Double((now - bucket.updated).clampedNanoseconds) / 1e9
    return max(0, bucket.fill - seconds * rule.drain)
  }

  private mutating func prune(_ now: MonotonicInstant) {
    buckets = buckets.filter { key, _ in
      fill(key, key.hasPrefix("n:") ? Self.nameRule : Self.addressRule, now) > 0
    }
    if buckets.count > Self.maximumBuckets { buckets = [:] }
  }
}

import Telemetry

/// Lets so many things happen per second and key, as a value: each key has a bucket that time fills again.
///
///     var limit = RateLimit(perSecond: 2, burst: 10)
///     limit.admits("203.0.113.7", at: clock.now)     // true ten times at once, then twice per second
struct RateLimit: Sendable {
  private struct Bucket: Sendable {
    var tokens: Double
    var updated: MonotonicInstant
  }

  /// The most keys remembered; beyond it those whose buckets are full again are forgotten, and the fullest eighth of the rest.
  static let maximumKeys = 20_000

  let perSecond: Double
  let burst: Double
  private var buckets: [String: Bucket] = [:]

  init(perSecond: Double, burst: Double) {
    self.perSecond = perSecond
    self.burst = burst
  }

  /// At least one per second, and five times as many at once.
  init(perSecond: Int) {
    let rate = Double(max(1, perSecond))
    self.init(perSecond: rate, burst: rate * 5)
  }

  /// Whether it may happen once more now; counts it if so.
  mutating func admits(_ key: String, at now: MonotonicInstant) -> Bool {
    var bucket = buckets[key] ?? Bucket(tokens: burst, updated: now)
    bucket.tokens = tokens(bucket, now)
    bucket.updated = now
    let isAdmitted = bucket.tokens >= 1
    if isAdmitted { bucket.tokens -= 1 }
    buckets[key] = bucket
    if buckets.count > Self.maximumKeys { prune(now) }
    return isAdmitted
  }

  /// Whether it may happen once more now.
  func hasRoom(_ key: String, at now: MonotonicInstant) -> Bool {
    buckets[key].map { tokens($0, now) >= 1 } ?? true
  }

  /// How many keys are remembered.
  var count: Int { buckets.count }

  private func tokens(_ bucket: Bucket, _ now: MonotonicInstant) -> Double {
    min(burst, bucket.tokens + Double((now - bucket.updated).clampedNanoseconds) / 1e9 * perSecond)
  }

  private mutating func prune(_ now: MonotonicInstant) {
    buckets = buckets.filter { tokens($0.value, now) < burst }
    guard buckets.count > Self.maximumKeys else { return }
    let order = buckets.map { (key: $0.key, tokens: tokens($0.value, now)) }.sorted { $0.tokens > $1.tokens }
    for entry in order.prefix(Self.maximumKeys / 8) { buckets[entry.key] = nil }
  }
}

import Telemetry

/// A token bucket for each key: admits a number of events per second and a burst. A value.
///
///     var limit = RateLimit(perSecond: 2, burst: 10)
///     limit.admits("203.0.113.7", at: clock.now)     // true ten times at once, then twice per second
struct RateLimit: Sendable {
  private struct Bucket: Sendable {
    var tokens: Double
    var updated: MonotonicInstant
  }

  /// The most remembered keys; beyond it the keys with full buckets are dropped, and the fullest eighth of the rest.
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

  /// Whether one more event is admitted now; counts it if so.
  ///
  /// - Complexity: O(1) amortised.
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

  /// Whether one more event would be admitted now.
  func hasRoom(_ key: String, at now: MonotonicInstant) -> Bool {
    buckets[key].map { tokens($0, now) >= 1 } ?? true
  }

  /// The number of remembered keys.
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

import Telemetry

/// A token bucket for each key: admits a number of events per second and a burst. A value.
///
///     var limit = RateLimit(RateRule(perSecond: 2, burst: 10))
///     limit.admits("203.0.113.7", at: clock.now)     // true ten times at once, then twice per second
struct RateLimit: Sendable {
  private struct Bucket: Sendable {
    var tokens: Double
    var updated: MonotonicInstant
  }

  /// The most remembered keys; beyond it the keys with full buckets are dropped, and the fullest eighth of the rest.
  static let maximumKeys = 20_000

  let rule: RateRule
  private var buckets: [String: Bucket] = [:]

  init(_ rule: RateRule) { self.rule = rule }

  /// The time until one more event is admitted; zero when it would be now.
  func wait(_ key: String, at now: MonotonicInstant) -> Duration {
    guard let bucket = buckets[key] else { return .zero }
    let missing = 1 - tokens(bucket, now)
    return missing <= 0 ? .zero : .nanoseconds(max(1, Int64((missing / rule.perSecond * 1e9).rounded())))
  }

  /// Takes back an event that was admitted.
  mutating func withdraw(_ key: String) {
    guard let tokens = buckets[key]?.tokens else { return }
    buckets[key]?.tokens = min(rule.burst, tokens + 1)
  }

  /// Whether one more event is admitted now; counts it if so.
  ///
  /// - Complexity: O(1) amortised.
  mutating func admits(_ key: String, at now: MonotonicInstant) -> Bool {
    var bucket = buckets[key] ?? Bucket(tokens: rule.burst, updated: now)
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
    min(rule.burst, bucket.tokens + Double((now - bucket.updated).clampedNanoseconds) / 1e9 * rule.perSecond)
  }

  private mutating func prune(_ now: MonotonicInstant) {
    buckets = buckets.filter { tokens($0.value, now) < rule.burst }
    guard buckets.count > Self.maximumKeys else { return }
    let order = buckets.map { (key: $0.key, tokens: tokens($0.value, now)) }.sorted { $0.tokens > $1.tokens }
    for entry in order.prefix(Self.maximumKeys / 8) { buckets[entry.key] = nil }
  }
}

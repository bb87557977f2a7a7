import Telemetry

/// Exponential delays after failures, by key: some failures are free, then the delay doubles up to a cap; time without
/// failures forgives one after the other. A value.
///
///     var delays = FailureDelays<String>(DelayRule(free: 5, first: .seconds(1), cap: .seconds(60), forgiving: .seconds(120)))
///     delays.failed("ann", at: clock.now)
///     delays.wait("ann", at: clock.now)      // zero five times, then 1 s, 2 s, 4 s, … 60 s
///
/// At most `capacity` keys are remembered; beyond it those with the fewest failures left go first, an eighth at a time.
struct FailureDelays<Key: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    var failures: Int
    var last: MonotonicInstant
  }

  /// The rule of the delays.
  let rule: DelayRule
  /// The most keys remembered.
  let capacity: Int

  private var entries: [Key: Entry] = [:]

  /// - Parameter capacity: the most keys that are remembered.
  init(_ rule: DelayRule, capacity: Int = 20_000) {
    precondition(rule.forgiving > rule.cap, "failing at every chance must not forgive anything")
    (self.rule, self.capacity) = (rule, capacity)
  }

  /// The number of remembered keys.
  var count: Int { entries.count }

  /// The delay of the next attempt; zero when it may be made now. O(1).
  func wait(_ key: Key, at now: MonotonicInstant) -> Duration {
    guard let entry = entries[key] else { return .zero }
    return max(.zero, delay(after: entry.failures) - (now - entry.last))
  }

  /// The failures of a key that are not forgiven yet. O(1).
  func failures(_ key: Key, at now: MonotonicInstant) -> Int { entries[key].map { remaining($0, now) } ?? 0 }

  /// Counts a failure. O(1), amortised O(log keys) when there are too many.
  mutating func failed(_ key: Key, at now: MonotonicInstant) {
    let failures = entries[key].map { remaining($0, now) } ?? 0
    entries[key] = Entry(failures: min(failures + 1, rule.free + DelayRule.mostBeyondFree), last: now)
    if entries.count > capacity { evict(now) }
  }

  /// Takes back one failure of a key; the time of the last one stays. O(1).
  mutating func withdraw(_ key: Key) {
    guard let failures = entries[key]?.failures else { return }
    entries[key]?.failures = max(0, failures - 1)
  }

  /// Forgives all failures of a key. O(1).
  mutating func forget(_ key: Key) { entries[key] = nil }

  private func remaining(_ entry: Entry, _ now: MonotonicInstant) -> Int {
    let quiet = (now - entry.last).clampedNanoseconds / max(1, rule.forgiving.clampedNanoseconds)
    return max(0, entry.failures - Int(clamping: quiet))
  }

  private func delay(after failures: Int) -> Duration {
    guard failures > rule.free else { return .zero }
    let doublings = min(failures - rule.free - 1, 30)
    return min(rule.cap, rule.first * (1 << doublings))
  }

  private mutating func evict(_ now: MonotonicInstant) {
    let order = entries.map { (key: $0.key, failures: remaining($0.value, now), last: $0.value.last) }
      .sorted { ($0.failures, $0.last) < ($1.failures, $1.last) }
    for entry in order.prefix(max(1, capacity / 8)) { entries[entry.key] = nil }
  }
}

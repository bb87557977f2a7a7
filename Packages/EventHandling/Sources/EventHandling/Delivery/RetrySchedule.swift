/// The time before the next call after failures, and when to give up. A pure value.
struct RetrySchedule: Sendable {
  var numberOfRetries: Int
  var delay: Duration
  var longest: Duration

  /// The time before the call that follows a number of failures in a row; nil when there is none.
  func delay(after failures: Int) -> Duration? {
    guard failures <= numberOfRetries else { return nil }
    // 2^40 times any delay is beyond every bound.
    return min(longest, delay * (1 << min(max(0, failures - 1), 40)))
  }
}

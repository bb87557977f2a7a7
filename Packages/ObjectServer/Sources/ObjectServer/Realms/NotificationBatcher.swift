import Telemetry

/// Batches the notifications of sessions about large group commits that follow each other: at most one in each interval,
/// because a message costs a session more than its content.
///
///     large commit │ notification │ large commit, large commit │ 30 ms later: one notification for both
///
/// Commits of few changesets are notified at once, as they are probably edits of people. Authors are never delayed: they
/// get their acknowledgement; neither are sessions that ask.
struct NotificationBatcher {
  /// Commits of fewer changesets are never delayed.
  static let largeCommit = 16
  /// The time between two notifications of large commits.
  static let interval: Duration = .milliseconds(30)

  private var end: MonotonicInstant = .zero
  /// Whether a timer runs until the end of the interval.
  var hasTimer = false

  /// Whether the notification of a commit of this many changesets is delayed.
  func delays(_ changesets: Int, at now: MonotonicInstant) -> Bool { changesets >= Self.largeCommit && now < end }

  /// The time until the end of the interval.
  func remaining(at now: MonotonicInstant) -> Duration { end - now }

  /// Records that a commit of this many changesets was notified.
  mutating func notified(of changesets: Int, at now: MonotonicInstant) {
    if changesets >= Self.largeCommit { beginInterval(at: now) }
  }

  /// Records that delayed notifications were sent.
  mutating func beginInterval(at now: MonotonicInstant) { end = now + Self.interval }
}

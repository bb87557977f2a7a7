import Telemetry

/// Lets news gather for sessions that added nothing to them, while group commits of many changesets follow each other: each
/// message costs every session more than what is in it.
///
///     commit of many │ news for all │ commit of many, commit of many │ 30 ms later: news of both
///
/// News of few changesets are told at once: somebody may look at the screen for them. So are authors with their
/// acknowledgement, and those who ask.
struct NewsPause {
  /// Fewer changesets than this wait for nothing.
  static let many = 16
  /// How long after news of many the next ones are told.
  static let length: Duration = .milliseconds(30)

  private var end: MonotonicInstant = .zero
  /// Whether a timer runs until the end of the pause.
  var isTimed = false

  /// Whether news of so many changesets wait.
  func holds(_ changesets: Int, at now: MonotonicInstant) -> Bool { changesets >= Self.many && now < end }

  /// How long there is still to wait.
  func remaining(at now: MonotonicInstant) -> Duration { end - now }

  /// News of so many changesets were told.
  mutating func told(_ changesets: Int, at now: MonotonicInstant) {
    if changesets >= Self.many { begin(at: now) }
  }

  /// The news that waited were told.
  mutating func begin(at now: MonotonicInstant) { end = now + Self.length }
}

import Telemetry

/// The watched sessions of a realm in the order of their last scans, and when they are brought to the end of the history
/// though nothing concerned them: the history that their files hold back can then be trimmed.
///
/// A pure value. While the history grows, each session is scanned at least about every ``patience``, spread out: no more
/// than a sixtieth of all, or ``least``, at a time.
struct LaggingMembers {
  /// The time after which a session is brought to the end.
  static let patience = Duration.seconds(300)
  /// The time between two slices.
  static let pause = Duration.seconds(1)
  /// The time after the last new version in which every session was looked at.
  private static let rest = Duration.seconds(720)
  /// Sessions in one slice at least.
  static let least = 16

  private var queue: [(ident: MemberIdent, since: MonotonicInstant)] = []
  /// The first place of the queue; those before it are taken.
  private var head = 0
  private var grewAt: MonotonicInstant?
  private var hasTimer = false

  var count: Int { queue.count - head }

  /// Adds a session, which stands in the queue once at most.
  mutating func add(_ ident: MemberIdent, at time: MonotonicInstant) { queue.append((ident, time)) }

  /// Records that there are new versions.
  mutating func historyGrew(at time: MonotonicInstant) { grewAt = time }

  /// The time until sessions have to be looked at; nil when none has to, or the timer runs.
  mutating func startTimer(at now: MonotonicInstant) -> Duration? {
    guard !hasTimer, head < queue.count, let grewAt, now - grewAt < Self.rest else { return nil }
    hasTimer = true
    return max(Self.pause, Self.patience - (now - queue[head].since))
  }

  /// Takes the sessions that are due, when the timer has ended. The owner puts those back that stay.
  ///
  /// - Complexity: O(*n*) in the sessions of the slice.
  mutating func takeDue(at now: MonotonicInstant) -> [MemberIdent] {
    hasTimer = false
    var due: [MemberIdent] = []
    let most = max(Self.least, count / 60)
    while due.count < most, head < queue.count, now - queue[head].since >= Self.patience {
      due.append(queue[head].ident)
      head += 1
    }
    if head > queue.count / 2 {
      queue.removeFirst(head)
      head = 0
    }
    return due
  }
}

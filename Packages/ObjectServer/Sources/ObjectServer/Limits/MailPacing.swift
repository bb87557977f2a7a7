import Telemetry

/// The times at which messages may be sent. A value.
///
/// Guarantee: nobody is sent two messages of one kind within ``PacedMail/interval`` on average, and no registration keeps another's
/// message from being sent: it waits at most that long for each registration of its name that may wait.
struct MailPacing: Sendable {
  /// The addresses and subjects whose last message is remembered.
  static let rememberedMessages = 10_000

  private var last: [String: MonotonicInstant] = [:]

  /// The time until a message may be sent, which counts as sent then; nil for one that is not to be sent, because the same was
  /// ordered a moment ago.
  ///
  /// - Complexity: O(1); O(remembered messages) when there is no room.
  mutating func delay(of mail: PacedMail, at now: MonotonicInstant) -> Duration? {
    if let before = last[mail.subject], before + PacedMail.interval > now { return nil }
    if last.count >= Self.rememberedMessages { last = last.filter { $0.value + PacedMail.interval > now } }
    guard last.count < Self.rememberedMessages else { return nil }
    let latest = now + PacedMail.longestDelay
    let due = min(latest, max(now, last[mail.address].map { $0 + PacedMail.interval } ?? now))
    (last[mail.subject], last[mail.address]) = (due, due)
    return due - now
  }
}

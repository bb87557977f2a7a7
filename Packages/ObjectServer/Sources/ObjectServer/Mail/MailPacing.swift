import Telemetry

/// The times at which messages may be sent. A value.
///
/// Guarantee: nobody is sent two messages of one kind within ``interval`` on average, and no registration keeps another's message
/// from being sent: it waits at most ``interval`` for each registration of its name that may wait.
struct MailPacing: Sendable {
  /// The shortest time between two messages of one kind to one address.
  static let interval: Duration = .seconds(60)
  /// The addresses and registrations whose last message is remembered.
  static let rememberedMessages = 10_000

  private var last: [String: WallTime] = [:]

  /// The time at which a message may be sent, which counts as sent then; nil for one that is not to be sent, because the same was
  /// ordered a moment ago.
  ///
  /// - Parameter registration: the one that a confirmation is for; nil for a reset.
  /// - Complexity: O(1); O(remembered messages) when there is no room.
  mutating func due(
    _ kind: MailOrder.Kind, _ address: String, _ registration: String?, at now: WallTime
  ) -> WallTime? {
    let (own, shared) = ("\(kind.rawValue) \(registration ?? address)", "\(kind.rawValue) \(address)")
    if let before = last[own], before + Self.interval > now { return nil }
    if last.count >= Self.rememberedMessages { last = last.filter { $0.value + Self.interval > now } }
    guard last.count < Self.rememberedMessages else { return nil }
    // Of the registrations that are ordered for one time, all but the newest few have ended by then.
    let latest = now + Self.interval * PendingAccounts.maximumOfName
    let due = min(latest, max(now, last[shared].map { $0 + Self.interval } ?? now))
    (last[own], last[shared]) = (due, due)
    return due
  }
}

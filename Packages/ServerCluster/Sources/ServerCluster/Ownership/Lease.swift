/// The lease of this node, by its own clock. It ends here before it ends in the database: it is counted from before the renewal was
/// asked for, and is shorter by a tenth, for clocks that go at different speeds.
///
///     var lease = Lease(.seconds(10))
///     lease.renewed(askedAt: now)
///     lease.isHeld(at: now + .seconds(8))               // true; at 9.5 seconds false
struct Lease: Sendable {
  private let span: Duration
  private var end: ContinuousClock.Instant?

  init(_ duration: Duration) { span = duration * 9 / 10 }

  mutating func renewed(askedAt instant: ContinuousClock.Instant) { end = max(end ?? instant, instant + span) }
  mutating func lost() { end = nil }
  func isHeld(at instant: ContinuousClock.Instant) -> Bool { end.map { instant < $0 } ?? false }
}

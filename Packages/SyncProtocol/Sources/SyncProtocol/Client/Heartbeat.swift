/// The PINGs of a connection: at most one is outstanding, and its PONG must echo it.
struct Heartbeat: Hashable, Sendable {
  /// The timestamp of the unanswered PING.
  var outstanding: UInt64?
  /// Whether a PING is due and not sent.
  var isDue = false
  /// The last measured round trip, in milliseconds.
  var roundTrip: UInt64 = 0
}

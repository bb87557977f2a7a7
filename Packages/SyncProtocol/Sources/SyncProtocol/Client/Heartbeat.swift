/// The PINGs of a connection: at most one is outstanding, and its PONG must echo it.
struct Heartbeat: Hashable, Sendable {
  /// The timestamp of the PING that waits for its PONG.
  var outstanding: UInt64?
  /// A PING is due and waits for its turn to be sent.
  var isDue = false
  /// The last measured round trip, in milliseconds.
  var roundTrip: UInt64 = 0
}

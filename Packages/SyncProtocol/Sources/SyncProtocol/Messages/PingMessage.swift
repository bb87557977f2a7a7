/// PING, client to server: the request for a PONG.
public struct PingMessage: Hashable, Sendable {
  /// A clock of the client in milliseconds, echoed.
  public var timestamp: UInt64
  /// The last measured round trip in milliseconds; 0 at first.
  public var roundTrip: UInt64

  /// A PING.
  public init(timestamp: UInt64, roundTrip: UInt64 = 0) {
    self.timestamp = timestamp
    self.roundTrip = roundTrip
  }
}

/// PONG, server to client: the answer to PING.
public struct PongMessage: Hashable, Sendable {
  /// The timestamp of the PING.
  public var timestamp: UInt64
  /// A PONG.
  public init(timestamp: UInt64) { self.timestamp = timestamp }
}

/// The behaviour of one direction between two hosts.
public struct LinkConditions: Hashable, Sendable {
  /// The time a packet takes, drawn evenly for each. Packets of one connection never overtake each other.
  public var latency: ClosedRange<Duration>
  /// Bytes per second of one connection; nil for no limit.
  public var bytesPerSecond: Int?
  /// The probability, per packet, that the connection breaks instead: 0 to 1.
  public var breakProbability: Double

  /// Conditions; by default 1 to 5 milliseconds, and no connection breaks.
  public init(
    latency: ClosedRange<Duration> = .milliseconds(1) ... .milliseconds(5), bytesPerSecond: Int? = nil,
    breakProbability: Double = 0
  ) {
    precondition(latency.lowerBound >= .zero, "a latency is not negative")
    precondition((bytesPerSecond ?? 1) > 0, "a link carries at least one byte per second")
    self.latency = latency
    self.bytesPerSecond = bytesPerSecond
    self.breakProbability = breakProbability
  }
}

/// How much a peer may claim. Nothing is allocated beyond these.
public struct MessageLimits: Hashable, Sendable {
  /// The longest head, in bytes. The longest legal one has 11 numbers of 20 digits.
  public var headBytes = 512
  /// The longest path in BIND.
  public var pathBytes = 1024
  /// The longest token in BIND.
  public var tokenBytes = 2048
  /// The largest whole message.
  public var messageBytes = 64 << 20
  /// The largest body after inflating.
  public var inflatedBytes = 256 << 20
  /// The largest query text, error text, JSON body or log line.
  public var textBytes = 1 << 20

  /// The limits above.
  public init() {}
}

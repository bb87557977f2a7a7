/// How long things take; the values of stock clients unless changed.
public struct SyncTiming: Hashable, Sendable {
  /// Resolving, connecting, TLS and upgrade together.
  public var connectTimeout: Duration = .seconds(120)
  /// How long a connection stays after its last session ended.
  public var linger: Duration = .seconds(30)
  /// From one PING to the next, less a random part of up to a tenth. The first comes after a random part of it.
  public var pingInterval: Duration = .seconds(60)
  /// The longest wait for a PONG; then the connection counts as dead.
  public var pongTimeout: Duration = .seconds(120)
  /// A reconnect within this counts as fast: uploads are not held back again.
  public var fastReconnect: Duration = .seconds(60)
  /// How long a session rests after error 200.
  public var sessionClosedRest: Duration = .seconds(1)
  /// The back-off between attempts.
  public var backoff = BackoffPolicy()

  /// The values of stock clients.
  public init() {}
  /// The values of stock clients.
  public static let stock = SyncTiming()
}

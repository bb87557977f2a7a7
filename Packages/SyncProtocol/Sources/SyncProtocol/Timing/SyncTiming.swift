/// Timeouts and intervals of a client connection; by themselves those of stock clients.
public struct SyncTiming: Hashable, Sendable {
  /// Resolving, connecting, TLS and upgrade together.
  public var connectTimeout: Duration = .seconds(120)
  /// The time from the end of the last session to the close of the connection.
  public var linger: Duration = .seconds(30)
  /// The interval between PINGs, less a random part of up to a tenth. The first PING follows after a random part of it.
  public var pingInterval: Duration = .seconds(60)
  /// The longest wait for a PONG; after it the connection is lost.
  public var pongTimeout: Duration = .seconds(120)
  /// The longest loss of a connection after which uploads are not held again.
  public var fastReconnect: Duration = .seconds(60)
  /// The suspension of a session after error 200.
  public var sessionClosedRest: Duration = .seconds(1)
  /// The back-off between attempts.
  public var backoff = BackoffPolicy()

  /// The values of stock clients.
  public init() {}
  /// The values of stock clients.
  public static let stock = SyncTiming()
}

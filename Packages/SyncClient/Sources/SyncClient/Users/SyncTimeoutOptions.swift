import SyncProtocol
import Synchronization

/// Timeouts of a client in milliseconds; the defaults are those of stock clients. Safe from any thread.
public final class SyncTimeoutOptions: Sendable {
  private struct Values {
    var connectTimeout: UInt = 120_000
    var connectionLingerTime: UInt = 30_000
    var pingKeepalivePeriod: UInt = 60_000
    var pongKeepaliveTimeout: UInt = 120_000
    var fastReconnectLimit: UInt = 60_000
  }
  private let values = Mutex(Values())

  /// The values of stock clients, but for those given.
  public init(
    connectTimeout: UInt? = nil, connectionLingerTime: UInt? = nil, pingKeepalivePeriod: UInt? = nil,
    pongKeepaliveTimeout: UInt? = nil, fastReconnectLimit: UInt? = nil
  ) {
    if let connectTimeout { self.connectTimeout = connectTimeout }
    if let connectionLingerTime { self.connectionLingerTime = connectionLingerTime }
    if let pingKeepalivePeriod { self.pingKeepalivePeriod = pingKeepalivePeriod }
    if let pongKeepaliveTimeout { self.pongKeepaliveTimeout = pongKeepaliveTimeout }
    if let fastReconnectLimit { self.fastReconnectLimit = fastReconnectLimit }
  }

  /// For resolving, connecting, TLS and upgrade together.
  public var connectTimeout: UInt {
    get { values.withLock { $0.connectTimeout } }
    set { values.withLock { $0.connectTimeout = newValue } }
  }
  /// From the end of a connection's last session to the end of the connection.
  public var connectionLingerTime: UInt {
    get { values.withLock { $0.connectionLingerTime } }
    set { values.withLock { $0.connectionLingerTime = newValue } }
  }
  /// From one sign of life to the next.
  public var pingKeepalivePeriod: UInt {
    get { values.withLock { $0.pingKeepalivePeriod } }
    set { values.withLock { $0.pingKeepalivePeriod = newValue } }
  }
  /// For the answer to a sign of life; then the connection counts as dead.
  public var pongKeepaliveTimeout: UInt {
    get { values.withLock { $0.pongKeepaliveTimeout } }
    set { values.withLock { $0.pongKeepaliveTimeout = newValue } }
  }
  /// A reconnect within this counts as fast: uploads are not held back until the download is complete.
  public var fastReconnectLimit: UInt {
    get { values.withLock { $0.fastReconnectLimit } }
    set { values.withLock { $0.fastReconnectLimit = newValue } }
  }

  var timing: SyncTiming {
    func duration(_ milliseconds: UInt) -> Duration { .milliseconds(Int64(clamping: milliseconds)) }
    let values = values.withLock { $0 }
    var timing = SyncTiming.stock
    timing.connectTimeout = duration(values.connectTimeout)
    timing.linger = duration(values.connectionLingerTime)
    timing.pingInterval = duration(values.pingKeepalivePeriod)
    timing.pongTimeout = duration(values.pongKeepaliveTimeout)
    timing.fastReconnect = duration(values.fastReconnectLimit)
    return timing
  }
}

public import Foundation
import SyncProtocol
public import Telemetry
public import Transport

/// How long a client waits, in milliseconds; the values of stock clients unless set.
public struct SyncTimeoutOptions: Hashable, Sendable {
  /// For resolving, connecting, TLS and upgrade together.
  public var connectTimeout: UInt = 120_000
  /// How long a connection stays after its last session ended.
  public var connectionLingerTime: UInt = 30_000
  /// From one sign of life to the next.
  public var pingKeepalivePeriod: UInt = 60_000
  /// For the answer to it; then the connection counts as dead.
  public var pongKeepaliveTimeout: UInt = 120_000
  /// A reconnect within this counts as fast: uploads are not held back until the download is complete.
  public var fastReconnectLimit: UInt = 60_000

  /// The values of stock clients.
  public init() {}

  var timing: SyncTiming {
    func duration(_ milliseconds: UInt) -> Duration { .milliseconds(Int64(clamping: milliseconds)) }
    var timing = SyncTiming.stock
    timing.connectTimeout = duration(connectTimeout)
    timing.linger = duration(connectionLingerTime)
    timing.pingInterval = duration(pingKeepalivePeriod)
    timing.pongTimeout = duration(pongKeepaliveTimeout)
    timing.fastReconnect = duration(fastReconnectLimit)
    return timing
  }
}

/// What applications set on the manager.
struct SyncManagerSettings: Sendable {
  var userAgent = ""
  var appID = ""
  var customRequestHeaders: [String: String]?
  var pinnedCertificatePaths: [String: URL]?
  var timeoutOptions: SyncTimeoutOptions?
  var proxies: ProxySettings?

  var timing: SyncTiming { timeoutOptions?.timing ?? .stock }
  var effectiveProxies: ProxySettings {
    proxies ?? ProxySettings(environment: ProcessInfo.processInfo.environment)
  }

  /// The target of one connection.
  func decorated(_ target: SyncTarget) -> SyncTarget {
    var target = target
    for (name, value) in customRequestHeaders ?? [:] { target.headers[name] = value }
    if !userAgent.isEmpty, target.headers["User-Agent"] == nil {
      target.headers["User-Agent"] = "RealmSync/14.14.0 (OpenRealm Swift) \(userAgent)"
    }
    if let trust = pinnedTrust(of: target.server.host) { target.trust = trust }
    return target
  }

  /// Whom a host must be, when its certificate is pinned. One that cannot be read pins to nothing: nobody is trusted.
  func pinnedTrust(of host: String) -> TLSClientConfiguration? {
    pinnedCertificatePaths?[host].map { path in
      (try? ServerValidationPolicy.pinCertificate(path: path).trust())
        ?? TLSClientConfiguration(trust: .certificates(pem: ""))
    }
  }
}

extension SyncManager {
  /// What hears every line of the log in place of `Logger.shared`, which hears of local realms too.
  public var logger: (@Sendable (LogLevel, String) -> Void)? {
    get { log.block.withLock { $0 } }
    set { log.block.withLock { $0 = newValue } }
  }

  /// What the application adds to the user agent of connections.
  public var userAgent: String {
    get { settings.userAgent }
    set { settings.userAgent = newValue }
  }

  /// The application's own name for itself; kept for it and not sent.
  public var appID: String {
    get { settings.appID }
    set { settings.appID = newValue }
  }

  /// Further headers of every sync connection, from the next one on.
  public var customRequestHeaders: [String: String]? {
    get { settings.customRequestHeaders }
    set {
      settings.customRequestHeaders = newValue
      (try? client())?.reconnect()
    }
  }

  /// The certificate that each of these hosts must show, or that signed the one it shows, as files in PEM or DER; for
  /// logging in and for sync, from the next connection on.
  public var pinnedCertificatePaths: [String: URL]? {
    get { settings.pinnedCertificatePaths }
    set { settings.pinnedCertificatePaths = newValue }
  }

  /// How long the client waits. To be set before the first synced realm is opened.
  public var timeoutOptions: SyncTimeoutOptions? {
    get { settings.timeoutOptions }
    set { settings.timeoutOptions = newValue }
  }

  /// The HTTP proxies on the way to servers. Unless set, what `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say
  /// in the environment. To be set before the first login and the first synced realm.
  ///
  ///     SyncManager.shared.proxies = ProxySettings(secure: "http://proxy.example.org:3128")
  public var proxies: ProxySettings {
    get { settings.effectiveProxies }
    set { settings.proxies = newValue }
  }
}

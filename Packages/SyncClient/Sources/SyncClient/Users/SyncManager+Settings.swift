public import Foundation
import SyncProtocol
public import Telemetry
public import Transport

/// The settings of a manager.
struct SyncManagerSettings: Sendable {
  var userAgent = ""
  var appID = ""
  var customRequestHeaders: [String: String]?
  var pinnedCertificatePaths: [String: URL]?
  var timeoutOptions: SyncTimeoutOptions?
  var proxies: ProxySettings?
  var usersEncryptionKey: Data?
  /// The time that a call about users may take.
  var requestTimeout = Duration.seconds(30)

  var timing: SyncTiming { timeoutOptions?.timing ?? .stock }
  var effectiveProxies: ProxySettings {
    proxies ?? ProxySettings(environment: ProcessInfo.processInfo.environment)
  }

  /// A target with the headers and the trust of these settings.
  func decorated(_ target: SyncTarget) -> SyncTarget {
    var target = target
    for (name, value) in customRequestHeaders ?? [:] { target.headers[name] = value }
    if !userAgent.isEmpty, target.headers["User-Agent"] == nil {
      target.headers["User-Agent"] = "RealmSync/14.14.0 (OpenRealm Swift) \(userAgent)"
    }
    if let trust = pinnedTrust(of: target.server.host) { target.trust = trust }
    return target
  }

  /// The trust for a host with a pinned certificate; nil for other hosts. A certificate that cannot be read trusts no
  /// server.
  func pinnedTrust(of host: String) -> TLSClientConfiguration? {
    pinnedCertificatePaths?[host].map { path in
      (try? ServerValidationPolicy.pinCertificate(path: path).trust())
        ?? TLSClientConfiguration(trust: .certificates(pem: ""))
    }
  }
}

extension SyncManager {
  /// The settings of an app. Called when the manager is made.
  func adopt(_ configuration: AppConfiguration) {
    var settings = settings
    settings.appID = app ?? ""
    settings.timeoutOptions = configuration.syncTimeouts
    settings.requestTimeout = .milliseconds(Int64(clamping: configuration.defaultRequestTimeoutMS))
    self.settings = settings
  }

  /// The secret, 32 bytes or more, under which the files of users and their tokens are sealed on this device; nil for plain
  /// files that only their owner can read. To be set before the first use. A plain file is sealed when it is written next.
  ///
  ///     SyncManager.shared.usersEncryptionKey = key     // such as the 64 bytes of encrypted realms
  public var usersEncryptionKey: Data? {
    get { settings.usersEncryptionKey }
    set { settings.usersEncryptionKey = newValue }
  }

  /// The block that gets every log line of sync; nil for `Logger.shared`, which gets the lines of local realms, too.
  public var logger: (@Sendable (LogLevel, String) -> Void)? {
    get { log.block.withLock { $0 } }
    set { log.block.withLock { $0 = newValue } }
  }

  /// A text that is added to the user agent of connections.
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

  /// Adds one host to ``pinnedCertificatePaths``.
  ///
  ///     try SyncManager.shared.pinCertificate("/etc/openrealm/ca.pem", of: "sync.example.org")
  ///
  /// - Throws: ``SyncAuthError`` when the file cannot be read, or holds no certificate.
  public func pinCertificate(_ path: String, of host: String) throws {
    let url = URL(fileURLWithPath: path)
    _ = try ServerValidationPolicy.pinCertificate(path: url).trust()
    pinnedCertificatePaths = (pinnedCertificatePaths ?? [:]).merging([host: url]) { $1 }
  }

  /// The timeouts of the client. To be set before the first synced realm is opened.
  public var timeoutOptions: SyncTimeoutOptions? {
    get { settings.timeoutOptions }
    set { settings.timeoutOptions = newValue }
  }

  /// The HTTP proxies on the way to servers; by default those of `http_proxy`, `https_proxy`, `all_proxy` and
  /// `no_proxy` in the environment. To be set before the first login and the first synced realm.
  ///
  ///     SyncManager.shared.proxies = ProxySettings(secure: "http://proxy.example.org:3128")
  public var proxies: ProxySettings {
    get { settings.effectiveProxies }
    set { settings.proxies = newValue }
  }
}

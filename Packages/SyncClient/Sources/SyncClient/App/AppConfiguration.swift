import Foundation
public import Transport

/// Where the server of an ``App`` is, and how long to wait for it.
///
///     let app = App(id: "todo-abcde", configuration: AppConfiguration(baseURL: "https://sync.example.org"))
///
/// Read when the app is made; to be changed before that, by one thread at a time.
public final class AppConfiguration: @unchecked Sendable {
  // @unchecked Sendable: as documented, nobody changes it once an app was made with it.

  /// The address of the server; nil for `$REALM_BASE_URL`, else `http://localhost:9080`.
  public var baseURL: String?
  /// The name of the app, for the server's log; kept and not sent.
  public var localAppName: String?
  /// The version of the app, for the server's log; kept and not sent.
  public var localAppVersion: String?
  /// The time that a call may take, in milliseconds.
  public var defaultRequestTimeoutMS: UInt
  /// Sessions of one user always share a connection; kept for source compatibility.
  public var enableSessionMultiplexing: Bool
  /// The timeouts of sync connections.
  public var syncTimeouts: SyncTimeoutOptions?
  /// The network of calls and of sync; nil for the real one.
  public var transport: (any Network)?

  /// A configuration; nil stands for the default.
  public init(
    baseURL: String? = nil, transport: (any Network)? = nil, localAppName: String? = nil,
    localAppVersion: String? = nil, defaultRequestTimeoutMS: UInt? = nil, enableSessionMultiplexing: Bool? = nil,
    syncTimeouts: SyncTimeoutOptions? = nil
  ) {
    self.baseURL = baseURL
    self.transport = transport
    self.localAppName = localAppName
    self.localAppVersion = localAppVersion
    self.defaultRequestTimeoutMS = defaultRequestTimeoutMS ?? 60_000
    self.enableSessionMultiplexing = enableSessionMultiplexing ?? true
    self.syncTimeouts = syncTimeouts
  }

  /// The address that calls go to, without a slash at its end.
  var effectiveBaseURL: String {
    let set = baseURL ?? ProcessInfo.processInfo.environment["REALM_BASE_URL"].flatMap { $0.isEmpty ? nil : $0 }
    var text = set ?? "http://localhost:9080"
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }
}

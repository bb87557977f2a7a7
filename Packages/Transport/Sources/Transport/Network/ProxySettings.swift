public import Telemetry

/// The choice of an HTTP proxy for outgoing connections. The proxy opens a tunnel on request (CONNECT).
///
///     var proxies = ProxySettings(secure: "http://proxy.example.org:3128", exceptions: ["intranet.example.org"])
///     try proxies.proxy(for: NetworkURL("wss://sync.example.org"))?.host        // "proxy.example.org"
///     try proxies.proxy(for: NetworkURL("wss://db.intranet.example.org"))       // nil: reached directly
///
/// Addresses are parsed when a connection needs them: a malformed one fails only the connections that it is for.
public struct ProxySettings: Hashable, Sendable {
  /// The proxy for `http` and `ws`, such as `http://user:password@proxy.example.org:3128`; nil for none.
  public var plain: Redacted<String>?
  /// The proxy for `https` and `wss`; TLS is spoken with the server, through the proxy.
  public var secure: Redacted<String>?
  /// Hosts that are reached directly, with all their subdomains: `example.org` is also for `db.example.org`. `*` stands for
  /// all hosts.
  public var exceptions: [String]
  /// Whether this machine is reached directly, as `localhost`, `127.*` and `::1`.
  public var reachesThisMachineDirectly = true

  /// No proxy.
  public static let none = ProxySettings()

  /// Proxies by their addresses.
  public init(plain: String? = nil, secure: String? = nil, exceptions: [String] = []) {
    self.plain = plain.map { Redacted($0) }
    self.secure = secure.map { Redacted($0) }
    self.exceptions = exceptions
  }

  /// The settings of the usual environment variables: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`, and all but
  /// the first in capitals too (`HTTP_PROXY` may be a header of a request to a web server).
  public init(environment: [String: String]) {
    func first(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    let other = first("all_proxy", "ALL_PROXY")
    self.init(
      plain: first("http_proxy") ?? other, secure: first("https_proxy", "HTTPS_PROXY") ?? other,
      exceptions: (first("no_proxy", "NO_PROXY") ?? "").split(separator: ",").map(\.trimmingHTTPBlanks)
        .filter { !$0.isEmpty })
  }

  /// The proxy on the way to `url`; nil when it is reached directly.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration`` when the address of that proxy cannot be used.
  public func proxy(for url: NetworkURL) throws(TransportError) -> ProxyAddress? {
    guard let text = url.scheme.isSecure ? secure : plain else { return nil }
    if reachesThisMachineDirectly, url.isThisMachine { return nil }
    let host = url.host.lowercased()
    if exceptions.contains(where: { Self.covers($0, host) }) { return nil }
    return try ProxyAddress(text.unredacted)
  }

  private static func covers(_ exception: String, _ host: String) -> Bool {
    if exception == "*" { return true }
    let name = exception.lowercased().drop { $0 == "*" || $0 == "." }
    return !name.isEmpty && (host == name || host.hasSuffix("." + name))
  }
}

/// The address of a proxy, with the credentials of this side.
public struct ProxyAddress: Hashable, Sendable {
  /// A name or address.
  public let host: String
  /// The port; 80 unless given.
  public let port: Int
  /// `user:password`, when the address has them.
  public let credentials: Redacted<String>?

  /// An address such as `proxy.example.org:3128` or `http://user:password@proxy.example.org:3128`; user and password
  /// percent-encoded.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration`` for every other text.
  public init(_ text: String) throws(TransportError) {
    func refusal(_ reason: String) -> TransportError {
      TransportError(
        .invalidConfiguration, "the address of the proxy cannot be used: \(reason); write http://host:port")
    }
    var rest = text[...]
    if let separator = text.firstRange(of: "://") {
      guard text[..<separator.lowerBound].lowercased() == "http" else {
        throw refusal("only HTTP proxies are spoken to, not those of \(text[..<separator.lowerBound])")
      }
      rest = text[separator.upperBound...]
    }
    rest = rest.prefix { $0 != "/" }
    var credentials: Redacted<String>?
    if let end = rest.lastIndex(of: "@") {
      guard let decoded = PercentCoding.decoded(rest[..<end]) else { throw refusal("user or password are not encoded") }
      credentials = Redacted(decoded)
      rest = rest[rest.index(after: end)...]
    }
    self.credentials = credentials
    do {
      let url = try NetworkURL("http://\(rest)")
      host = url.host
      port = url.port
    } catch {
      throw refusal("it has no host and port")
    }
  }
}

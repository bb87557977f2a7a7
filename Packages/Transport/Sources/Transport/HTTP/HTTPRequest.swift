/// A complete request at a server.
public struct HTTPRequest: Hashable, Sendable {
  /// The method in capitals: `GET`, `POST`.
  public var method: String
  /// The target as sent: path, then `?` and query if any. Still percent-encoded.
  public var target: String
  /// The header lines.
  public var headers: HTTPHeaders
  /// The body; empty when there is none.
  public var body: [UInt8]
  /// The address of the peer, `127.0.0.1:51234`; in the simulation, its host name.
  public var remoteAddress: String
  /// Whether the connection uses TLS.
  public var isSecure: Bool

  /// A request with all its parts.
  public init(
    method: String, target: String, headers: HTTPHeaders = [:], body: [UInt8] = [], remoteAddress: String = "",
    isSecure: Bool = false
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
    self.isSecure = isSecure
  }

  /// The target before the first `?`. Still percent-encoded.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The target after the first `?`, or nil. Still percent-encoded.
  public var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }

  /// The first value of a query item, percent-decoded; `+` stays a plus. Nil when absent.
  ///
  ///     HTTPRequest(method: "GET", target: "/sync?baas_at=abc").queryItem("baas_at")  // "abc"
  public func queryItem(_ name: String) -> String? {
    for item in (query ?? "").split(separator: "&", omittingEmptySubsequences: true) {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, PercentCoding.decoded(key) == name else { continue }
      return PercentCoding.decoded(parts.dropFirst().first ?? "")
    }
    return nil
  }
}

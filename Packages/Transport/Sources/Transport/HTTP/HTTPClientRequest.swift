/// A request of a client.
public struct HTTPClientRequest: Hashable, Sendable {
  /// The method in capitals.
  public var method: String
  /// Scheme, host, port and target.
  public var url: NetworkURL
  /// Header lines. `Host`, `Content-Length` and `Connection` are added.
  public var headers: HTTPHeaders
  /// The body; empty for none.
  public var body: [UInt8]
  /// The time for everything, from resolving the name to the last byte.
  public var timeout: Duration
  /// The largest response body, in bytes; a larger one is ``TransportError/Code/tooLarge``.
  public var maximumResponseBytes: Int
  /// The accepted certificates for `https`.
  public var tls: TLSClientConfiguration

  /// A request; by default with limits of 60 seconds and 64 MiB.
  public init(
    method: String = "GET", url: NetworkURL, headers: HTTPHeaders = [:], body: [UInt8] = [],
    timeout: Duration = .seconds(60), maximumResponseBytes: Int = 64 << 20,
    tls: TLSClientConfiguration = TLSClientConfiguration()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.maximumResponseBytes = maximumResponseBytes
    self.tls = tls
  }
}

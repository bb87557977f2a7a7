/// The address of a WebSocket server, with the offers of the client.
public struct WebSocketEndpoint: Hashable, Sendable {
  /// Scheme (`ws` or `wss`), host, port, path and query.
  public var url: NetworkURL
  /// The offered protocol tokens, best first.
  public var protocolTokens: [String]
  /// Further headers of the upgrade request.
  public var headers: HTTPHeaders

  /// An endpoint.
  public init(url: NetworkURL, protocolTokens: [String] = [], headers: HTTPHeaders = [:]) {
    self.url = url
    self.protocolTokens = protocolTokens
    self.headers = headers
  }
}

/// Limits, timeouts and trust of a WebSocket.
public struct WebSocketOptions: Hashable, Sendable {
  /// The largest message kept, in bytes. A larger one is reported as ``WebSocketMessage/oversized(head:byteCount:)``
  /// before anything is allocated for it, and beyond 4 GiB answered with 1008. The answer is never 1009: stock Realm clients
  /// take that as a reset of every realm on the connection.
  public var maximumMessageBytes = 256 << 20
  /// The most bytes buffered for writing; beyond it the connection is aborted.
  public var writeBudget = 256 << 20
  /// The buffered bytes at which ``WebSocketHandler/webSocketDidDrain(_:)`` is called.
  public var writeLowWaterMark = 64 << 10
  /// The time for resolving, connecting, TLS and the upgrade together. Clients only.
  public var connectTimeout: Duration = .seconds(60)
  /// The time for the peer's answer to a close frame.
  public var closeTimeout: Duration = .seconds(5)
  /// The accepted certificates for `wss`. Clients only.
  public var tls = TLSClientConfiguration()
  /// The group of the connection in the server's ``ReceiveBudget``, such as its user; nil for the peer's address.
  public var budgetGroup: String?
  /// Whether a server's connection counts in its ``ReceiveBudget``, and waits for memory there. False for one that carries many others,
  /// each of which is counted by the layer above.
  public var countsReceived = true

  /// The default limits.
  public init() {}
}

/// Answers requests and decides on upgrades. Called on the loop.
public protocol HTTPServerHandler: AnyObject, Sendable {
  /// Called for a complete request. The handler answers through `responder`, now or later, from any thread, once.
  func respond(to request: HTTPRequest, with responder: any HTTPResponder)

  /// Called for a well-formed WebSocket upgrade. The handler accepts or refuses through `responder`, now or later, from
  /// any thread, once. Until then nothing more is read from the peer.
  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder)
}

extension HTTPServerHandler {
  /// Refuses with 404.
  public func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    responder.refuse(HTTPResponse(status: 404, text: "no WebSocket here\n"))
  }
}

/// Sends the answer to one request.
public protocol HTTPResponder: AnyObject, Sendable {
  /// Sends the response; from any thread. Only the first call has an effect, and none when the peer is gone.
  func respond(_ response: HTTPResponse)

  /// Sends a head, and the body in parts: as chunks, or to a client of HTTP/1.0 until the connection closes. From any thread,
  /// instead of ``respond(_:)``. A request for the head alone gets the head, and its body ends at once.
  ///
  /// - Parameters:
  ///   - head: status and headers; its body is the first part.
  ///   - handler: retained until the end was reported.
  /// - Returns: the writer; without effect when the request was answered before or the peer is gone.
  func stream(
    _ head: HTTPResponse, options: HTTPStreamOptions, handler: any HTTPBodyHandler
  ) -> any HTTPBodyWriter
}

/// A WebSocket upgrade that follows RFC 6455.
public struct WebSocketUpgradeRequest: Hashable, Sendable {
  /// The request, without a body.
  public var http: HTTPRequest
  /// The offered protocol tokens in order of preference, as in `com.mongodb.realm-sync#14`.
  public var protocolTokens: [String]

  /// An upgrade with all its parts.
  public init(http: HTTPRequest, protocolTokens: [String]) {
    self.http = http
    self.protocolTokens = protocolTokens
  }

  /// The first of `supported` that the client offered, which is the server's choice in its own order; nil when none was.
  ///
  ///     request.protocolToken(among: ["graphql-transport-ws"])
  public func protocolToken(among supported: [String]) -> String? { supported.first(where: protocolTokens.contains) }
}

/// Sends the decision on one upgrade.
public protocol WebSocketUpgradeResponder: AnyObject, Sendable {
  /// Answers 101 and passes the stream to `handler`, which then receives
  /// ``WebSocketHandler/webSocketDidOpen(_:protocolToken:)``.
  ///
  /// - Parameters:
  ///   - protocolToken: the one token to answer with, or nil for none.
  ///   - headers: further headers of the answer.
  ///   - options: limits of this connection.
  ///   - handler: receives the messages; retained until the closing was reported.
  func accept(
    protocolToken: String?, headers: HTTPHeaders, options: WebSocketOptions, handler: any WebSocketHandler)

  /// Answers with `response`, whose status is not 101, and closes.
  func refuse(_ response: HTTPResponse)
}

/// Limits of a server.
public struct HTTPServerOptions: Hashable, Sendable {
  /// The largest request line plus headers, in bytes; more is answered 431.
  public var maximumHeadBytes = 16 << 10
  /// The largest request body, in bytes; more is answered 413.
  public var maximumBodyBytes = 1 << 20
  /// The time from the first byte of a request (or from the connection) to the end of its head; more is answered 408.
  public var headTimeout: Duration = .seconds(10)
  /// The time from the head to the end of the body; more is answered 408.
  public var bodyTimeout: Duration = .seconds(60)
  /// The time after which a kept-alive connection without a request is closed.
  public var idleTimeout: Duration = .seconds(75)
  /// The most connections at a time; further ones are closed at once.
  public var maximumConnections = 65_536
  /// The most connections at a time that are not (yet) WebSockets. For a further one an idle connection is closed, or, when
  /// there is none, the new one.
  public var maximumGuests = 4_096
  /// The limit for one peer, see ``PeerGroup``. This machine may be a proxy, and is not limited.
  public var maximumGuestsPerPeer = 1_024
  /// The addresses of proxies, to which that does not apply: each is many clients.
  public var proxies: [AddressRange] = []
  /// The budget for received bytes, of the same loop; nil for a budget of the listener's own, of 512 MiB.
  public var receiveBudget: ReceiveBudget?
  /// The value of the `Server` header; nil for none.
  public var serverName: String?
  /// Certificate and key; nil for plain TCP.
  public var tls: TLSServerConfiguration?

  /// The default limits.
  public init() {}
}

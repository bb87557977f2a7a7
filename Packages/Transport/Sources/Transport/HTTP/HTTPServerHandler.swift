/// Answers requests and decides about upgrades. Called on the loop.
public protocol HTTPServerHandler: AnyObject, Sendable {
  /// A whole request arrived. Answer through `responder`, now or later, from any thread, once.
  func respond(to request: HTTPRequest, with responder: any HTTPResponder)

  /// A well-formed WebSocket upgrade arrived. Accept or refuse through `responder`, now or later, from any thread, once.
  /// Nothing more is read from the peer until then.
  func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder)
}

extension HTTPServerHandler {
  /// Refuses with 404.
  public func upgrade(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    responder.refuse(HTTPResponse(status: 404, text: "no WebSocket here\n"))
  }
}

/// The means to answer one request.
public protocol HTTPResponder: AnyObject, Sendable {
  /// Sends the response; from any thread. Only the first call counts. Nothing happens when the peer has gone.
  func respond(_ response: HTTPResponse)
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
}

/// The means to decide about one upgrade.
public protocol WebSocketUpgradeResponder: AnyObject, Sendable {
  /// Answers 101 and hands the stream to `handler`, which then hears ``WebSocketHandler/webSocketDidOpen(_:protocolToken:)``.
  ///
  /// - Parameters:
  ///   - protocolToken: the one token to answer with, or nil for none.
  ///   - headers: further headers of the answer.
  ///   - options: limits of this connection.
  ///   - handler: hears from the connection; kept until the closing was reported.
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
  /// How long a kept-alive connection may rest between requests before it is closed.
  public var idleTimeout: Duration = .seconds(75)
  /// The most connections at a time; further ones are closed at once.
  public var maximumConnections = 65_536
  /// The most connections at a time that are no WebSocket, or not yet; when there are more, one that rests is closed, else the
  /// new one.
  public var maximumGuests = 4_096
  /// The same for one peer, see ``PeerGroup``; this machine may be a proxy and is not counted.
  public var maximumGuestsPerPeer = 1_024
  /// What is received counts here; nil for a budget of the listener's own, of 512 MiB. On this loop only.
  public var receiveBudget: ReceiveBudget?
  /// The value of the `Server` header; nil for none.
  public var serverName: String?
  /// Certificate and key; nil for plain TCP.
  public var tls: TLSServerConfiguration?

  /// The limits above.
  public init() {}
}

import Concurrency
import Permissions
import Telemetry
import Transport

/// The links of a node: one to each node that it passes sessions on to, opened on demand, and one from each that passes on to it.
// @unchecked Sendable: its variables are accessed on the loop only.
final class PeerLinks: @unchecked Sendable {
  /// The failures of a node one after another, which the next link waits after.
  private struct Failures {
    var count = 0
    var last: MonotonicInstant
  }

  /// Decides on the WebSocket of a client that another node passed on.
  typealias Decision = @Sendable (WebSocketUpgradeRequest, PassedOn, any WebSocketUpgradeResponder) -> Void

  private let placement: any RealmPlacement
  private let network: any Network
  private let random: RandomSource
  private let metrics: ServerMetrics
  let logger: Logger
  /// The server's memory for messages that are arriving.
  let budget: ReceiveBudget
  let limits: PeerLink.Limits
  private var outgoing: [ServerNode: LinkConnection] = [:]
  private var incoming: [ObjectIdentifier: LinkConnection] = [:]
  private var failures: [ServerNode: Failures] = [:]
  private var isStopped = false
  /// The server's decision on streams.
  var whenOffered: Decision?

  init(
    _ placement: any RealmPlacement, network: any Network, random: RandomSource, budget: ReceiveBudget,
    metrics: ServerMetrics, logger: Logger, limits: PeerLink.Limits = PeerLink.Limits()
  ) {
    self.placement = placement
    self.network = network
    self.random = random
    self.budget = budget
    self.metrics = metrics
    self.logger = logger
    self.limits = limits
  }

  var scheduler: any Scheduler { network.scheduler }

  /// Makes idents for streams, which are connections of this process.
  var makeIdent: @Sendable () -> ConnectionIdent { { [network] in network.makeConnectionIdent() } }

  // MARK: To other nodes

  /// Opens a client's WebSocket at another node, over the link with it.
  func connect(
    to node: ServerNode, _ opening: StreamOpening, _ options: WebSocketOptions, handler: any WebSocketHandler
  ) -> any WebSocketConnection {
    link(to: node).open(opening, options, handler)
  }

  private func link(to node: ServerNode) -> LinkConnection {
    if let link = outgoing[node] { return link }
    let link = LinkConnection(.opener, peer: node.name, handshake: nil, links: self)
    outgoing[node] = link
    scheduler.schedule(after: delay(of: node)) { [weak self, weak link] in
      guard let self, let link, !isStopped else { return }
      begin(link, node)
    }
    return link
  }

  /// The time to wait before a node is asked again: none after a link that held, then ever longer.
  private func delay(of node: ServerNode) -> Duration {
    guard let failed = failures[node], failed.count > 1 else { return .zero }
    let delay = RelayLimits.reconnecting * (1 << min(failed.count - 2, 5))
    return max(.zero, delay - (scheduler.now - failed.last))
  }

  private func begin(_ link: LinkConnection, _ node: ServerNode) {
    let handshake = LinkHandshake(
      from: placement.node.name, to: node.name, nonce: nonce(), key: placement.peerKey)
    var options = Self.options
    options.connectTimeout = RelayLimits.connecting
    options.tls = placement.peerTLS
    link.connect(handshake) { handler in
      var url = try NetworkURL(node.address)
      url.scheme = url.scheme.isSecure ? .wss : .ws
      url.target = LinkHandshake.path
      let endpoint = WebSocketEndpoint(
        url: url, protocolTokens: [LinkHandshake.protocolToken],
        headers: [LinkHandshake.header: try handshake.headerValue()])
      return network.connectWebSocket(to: endpoint, options: options, handler: handler)
    }
  }

  private static var options: WebSocketOptions {
    var options = WebSocketOptions()
    options.maximumMessageBytes = RelayLimits.linkMessage
    options.writeBudget = RelayLimits.linkBuffer + 2 * RelayLimits.linkMessage
    options.writeLowWaterMark = RelayLimits.linkBuffer / 2
    // Its memory is bounded, and streams count what they receive: none may hold up the others.
    options.countsReceived = false
    return options
  }

  private func nonce() -> [UInt8] {
    (0..<LinkHandshake.nonceBytes / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
  }

  // MARK: From other nodes

  /// Accepts or refuses a link that another node opens.
  func accept(_ request: WebSocketUpgradeRequest, with responder: any WebSocketUpgradeResponder) {
    guard
      let handshake = try? LinkHandshake(
        reading: request.http.headers, at: placement.node.name, nonce: nonce(), key: placement.peerKey)
    else {
      metrics.refusedUpgrades.increment()
      return responder.refuse(HTTPResponse(status: 403, text: "no node of this cluster opens the link\n"))
    }
    guard request.protocolTokens.contains(LinkHandshake.protocolToken) else {
      return responder.refuse(HTTPResponse(status: 400, text: "speak \(LinkHandshake.protocolToken)\n"))
    }
    guard !isStopped, incoming.count < RelayLimits.links else {
      return responder.refuse(HTTPResponse(status: 503, text: "no room for another link\n"))
    }
    let link = LinkConnection(.acceptor, peer: handshake.opener, handshake: handshake, links: self)
    incoming[ObjectIdentifier(link)] = link
    responder.accept(
      protocolToken: LinkHandshake.protocolToken, headers: [:], options: Self.options, handler: link)
  }

  /// Has the server decide on a stream, as on a WebSocket of its own.
  func decide(_ opening: StreamOpening, by node: String, _ responder: LinkResponder) {
    guard let whenOffered else { return }
    let request = HTTPRequest(
      method: "GET", target: opening.target, headers: opening.headers, remoteAddress: opening.address,
      isSecure: opening.isSecure)
    whenOffered(
      WebSocketUpgradeRequest(http: request, protocolTokens: opening.protocolTokens),
      PassedOn(node: node, hops: opening.hops, address: opening.address, isSecure: opening.isSecure), responder)
  }

  // MARK: Changes of links

  func opened(_ link: LinkConnection) {
    metrics.links.add(1)
    logger.info("linked", ["node": .string(link.peer), "by": .string(link.role == .opener ? "this node" : "it")])
    guard link.role == .acceptor else { return }
    // The node would not have opened another one if it still had the last.
    for other in incoming.values where other !== link && other.peer == link.peer && other.isOpen { other.abort() }
  }

  func closed(_ link: LinkConnection, wasOpen: Bool, _ error: TransportError) {
    if wasOpen { metrics.links.add(-1) }
    incoming[ObjectIdentifier(link)] = nil
    for (node, other) in outgoing where other === link {
      outgoing[node] = nil
      note(failureOf: node, held: wasOpen && scheduler.now - link.openSince >= RelayLimits.connecting)
    }
    guard !isStopped else { return }
    logger.info("a link ended", ["node": .string(link.peer), "reason": .string(error.description)])
  }

  private func note(failureOf node: ServerNode, held: Bool) {
    failures[node] = Failures(count: held ? 1 : (failures[node]?.count ?? 0) + 1, last: scheduler.now)
  }

  func streamsChanged(by change: Int64) { metrics.streams.add(change) }

  /// Ends the links that this node opened. Those of others end with the listener.
  func stop() {
    isStopped = true
    for link in outgoing.values { link.close() }
  }
}

import Permissions
import SyncProtocol
import Telemetry
import Transport

// The connections with other nodes.
extension ConnectionRelay {
  func peer(_ node: ServerNode) -> PeerConnection {
    if let peer = peers[node] { return peer }
    let peer = PeerConnection(node: node, relay: self, scheduler: hub.scheduler)
    peers[node] = peer
    do {
      let request = origin.request
      var headers = try member.addedHeaders(origin)
      for name in ["Authorization", "User-Agent"] { headers[name] = request.headers[name] }
      let endpoint = WebSocketEndpoint(
        url: try member.url(of: request, at: node, isWebSocket: true), protocolTokens: [protocolToken], headers: headers
      )
      var options = WebSocketOptions()
      options.maximumMessageBytes = MessageLimits.ofDownloads.messageBytes
      options.writeBudget = hub.configuration.writeBudget
      options.writeLowWaterMark = 0
      options.connectTimeout = RelayLimits.connecting
      options.tls = member.placement.peerTLS
      peer.open(member.network.connectWebSocket(to: endpoint, options: options, handler: peer))
      if connection.isCongested { peer.pause(true) }
    } catch {
      connection.logger.error("a node cannot be reached", ["node": .string(node.name), "reason": LogValue("\(error)")])
      hub.scheduler.execute { [weak self, weak peer] in if let peer { self?.lost(peer, code: nil) } }
    }
    return peer
  }

  /// Handles a message of a node.
  func received(_ bytes: [UInt8], from peer: PeerConnection) {
    guard peers[peer.node] === peer else { return }
    perform(machine.received(bytes, from: peer.node))
  }

  /// Notes that a node has taken what waited for it.
  func drained(_ peer: PeerConnection) {
    noteWaiting()
  }

  /// Handles the end of the connection with a node.
  ///
  /// - Parameter code: the code with which the node closed it; nil for a loss.
  func lost(_ peer: PeerConnection, code: WebSocketCloseCode?) {
    guard !isClosed, peers[peer.node] === peer else { return }
    peers[peer.node] = nil
    switch code {
    // The node says about the client what this server would say a moment later.
    case WebSocketCloseCode(rawValue: CloseCode.unauthorized.rawValue): return connection.handle(.tokenExpired)
    case WebSocketCloseCode(rawValue: CloseCode.forbidden.rawValue): return connection.handle(.userRefused)
    default: perform(machine.lost(peer.node, SyncHub.moving))
    }
  }

  /// Looks after the connection with a node: sessions of realms that have moved come back, and without sessions it is closed.
  func look(after peer: PeerConnection) {
    guard !isClosed, peers[peer.node] === peer else { return }
    let sessions = machine.sessions(at: peer.node)
    paths = paths.filter { machine.routes[$0.key] != nil }
    guard !sessions.isEmpty else {
      peers[peer.node] = nil
      return peer.close()
    }
    for session in sessions {
      guard let path = paths[session], member.placement.place(of: path) != .node(peer.node) else { continue }
      paths[session] = nil
      perform(machine.end(session, SyncHub.moving))
    }
  }
}

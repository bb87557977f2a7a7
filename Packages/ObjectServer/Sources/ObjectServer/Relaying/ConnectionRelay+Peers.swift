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
    var headers: HTTPHeaders = [:]
    for name in ["Authorization", "User-Agent"] { headers[name] = origin.request.headers[name] }
    var options = WebSocketOptions()
    options.maximumMessageBytes = MessageLimits.ofDownloads.messageBytes
    options.writeBudget = hub.configuration.writeBudget
    options.writeLowWaterMark = 0
    let opening = member.opening(origin, [protocolToken], headers)
    peer.open(member.links.connect(to: node, opening, options, handler: peer))
    if connection.isCongested { peer.pause(true) }
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
      perform(machine.end(session, SyncHub.handedOver))
    }
  }
}

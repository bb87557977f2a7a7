import SyncProtocol

// Messages of the nodes, and the loss of nodes.
extension SessionRelay {
  /// Handles a message of a node.
  ///
  /// - Complexity: O(1).
  mutating func received(_ bytes: [UInt8], from node: ServerNode) -> [Action] {
    guard let head = MessageHead(ofServer: bytes) else { return [] }
    guard head.session != .connection else {
      if case .failure = head.kind { return [.deliver(bytes), .end] }
      // PONG, and what the node says to its own end of the connection.
      return []
    }
    switch routes[head.session] {
    case .closing(node):
      if head.kind.endsSession { routes[head.session] = nil }
      return []
    case .rebinding(node, let bind): return head.kind.endsSession ? [place(bind)] : []
    case .passed(node, let isUnbound):
      switch head.kind {
      case .unbound: routes[head.session] = nil
      // A client that unbound the session takes the error for the answer.
      case .failure where head.kind.endsSession: routes[head.session] = isUnbound ? nil : .failed(node)
      case .failure, .bind, .unbind, .other: break
      }
      return [.deliver(bytes)]
    case .ended(node):
      // The client was told already. The node told it, too, and so owes no end.
      if case .failure = head.kind, head.kind.endsSession { routes[head.session] = .failed(node) }
      return []
    case .placing, .passed, .failed, .ended, .closing, .rebinding, nil: return []
    }
  }

  /// Handles the loss of the connection with a node: its sessions fail, and others go on.
  ///
  /// - Complexity: O(*n* log *n*) in the sessions.
  mutating func lost(_ node: ServerNode, _ failure: SessionFailure) -> [Action] {
    var actions: [Action] = []
    for session in sessions(at: node) {
      switch routes[session] {
      case .passed(_, let isUnbound):
        routes[session] = isUnbound ? nil : .ended(nil)
        actions.append(.refuse(session, failure))
      case .failed, .ended: routes[session] = .ended(nil)
      case .closing: routes[session] = nil
      case .rebinding(_, let bind): actions.append(place(bind))
      case .placing, nil: break
      }
    }
    return actions
  }

  /// Ends a session that this server cannot pass on any more.
  mutating func end(_ session: SessionIdent, _ failure: SessionFailure) -> [Action] {
    switch routes[session] {
    case .placing:
      // The client may have sent UNBIND behind the rest: then it takes the failure for the answer.
      let isUnbound = takeKept(session).contains { MessageHead(ofClient: $0.bytes)?.kind == .unbind }
      routes[session] = isUnbound ? nil : .ended(nil)
    case .passed(let node, isUnbound: false): routes[session] = .ended(node)
    // The client has ended the session itself, and the node will say so.
    case .passed(_, isUnbound: true), .failed, .ended, .closing, .rebinding, nil: return []
    }
    return [.refuse(session, failure)]
  }
}

import SyncProtocol
import Transport

/// The sessions of one client's connection that other nodes answer, as a pure state machine: a message in, actions out.
///
/// The messages of a session go to one place from its BIND to its end, in their order. While the place is being looked up they
/// are kept. Sessions without a route are those of this server. A value.
struct SessionRelay {
  /// The work of the relay for its owner, to be performed in order.
  enum Action: Hashable {
    /// This server answers the message.
    case answer(WebSocketMessage)
    /// Look up the place of the realm that a BIND names, and answer with ``SessionRelay/placed(_:generation:_:)``.
    case place(BindMessage, generation: UInt64)
    /// Send a message of the client to a node, over the connection that is kept with it.
    case pass([UInt8], ServerNode)
    /// Send a node's message to the client.
    case deliver([UInt8])
    /// Send the failure of a session to the client.
    case refuse(SessionIdent, SessionFailure)
    /// Send the failure of the connection to the client, and close.
    case fail(ConnectionFailure)
    /// A node has ended the connection by its last message: close.
    case end
  }

  /// The way of a session's messages.
  enum Route: Hashable {
    /// The place is being looked up, and the messages are kept.
    case placing(generation: UInt64)
    /// The node answers. The client may have sent UNBIND.
    case passed(ServerNode, isUnbound: Bool)
    /// The node told the client of a failure. Both wait for the client's UNBIND, which nobody answers.
    case failed(ServerNode)
    /// This server told the client of a failure and waits for UNBIND, which a node that still has the session gets, too.
    case ended(ServerNode?)
    /// A node was sent UNBIND for a session whose failure this server told, and owes its end.
    case closing(ServerNode)
    /// The client has bound the session again before that end came: the messages are kept until then.
    case rebinding(ServerNode, BindMessage)
  }

  /// The outcome of looking up a place.
  enum Placed: Hashable, Sendable {
    case here
    case node(ServerNode)
    case refused(SessionFailure)
  }

  /// The most sessions with a route.
  let maximumSessions: Int
  var routes: [SessionIdent: Route] = [:]
  /// The messages of sessions whose places are being looked up, BIND first.
  private var kept: [SessionIdent: [WebSocketMessage]] = [:]
  /// The weight of kept messages: their bytes, and ``messageWeight`` for each.
  private(set) var keptBytes = 0
  private var generation: UInt64 = 0

  private static let messageWeight = 64

  init(maximumSessions: Int) { self.maximumSessions = maximumSessions }

  /// The nodes that have sessions, with those.
  ///
  /// - Complexity: O(*n* log *n*) in the sessions.
  func sessions(at node: ServerNode) -> [SessionIdent] {
    routes.filter { $0.value.node == node }.keys.sorted()
  }

  // MARK: From the client

  /// Handles a message of the client.
  ///
  /// - Parameters:
  ///   - isInUse: whether this server has a session with an ident.
  ///   - decode: reads a BIND; nil when it cannot be read, which this server answers.
  ///   - oversized: the failure of the session of a message above the limit; nil when it concerns the connection.
  /// - Complexity: O(1).
  mutating func received(
    _ message: WebSocketMessage, isInUse: (SessionIdent) -> Bool, decode: ([UInt8]) -> BindMessage?,
    oversized: (_ head: [UInt8], _ byteCount: Int) -> SessionFailure?
  ) -> [Action] {
    if case .text = message { return [.answer(message)] }
    guard let head = MessageHead(ofClient: message.bytes), head.session != .connection else {
      return [.answer(message)]
    }
    if head.kind == .bind { return bound(message, head.session, isInUse, decode) }
    switch routes[head.session] {
    case nil: return [.answer(message)]
    case .failed(let node):
      guard head.kind == .unbind else { return [] }
      routes[head.session] = nil
      return [.pass(message.bytes, node)]
    case .ended(let node):
      guard head.kind == .unbind else { return [] }
      routes[head.session] = node.map { .closing($0) }
      return node.map { [.pass(message.bytes, $0)] } ?? []
    case .closing: return []
    case .placing:
      if case .oversized(let bytes, let count) = message {
        return oversized(bytes, count).map { end(head.session, $0) } ?? [.answer(message)]
      }
      keep(message, of: head.session)
      return []
    case .rebinding:
      // Above the limit it ends the connection: the session that it names has no place yet.
      if case .oversized = message { return [.answer(message)] }
      keep(message, of: head.session)
      return []
    case .passed(let node, let isUnbound):
      if case .oversized(let bytes, let count) = message {
        return oversized(bytes, count).map { end(head.session, $0) } ?? [.answer(message)]
      }
      if head.kind == .unbind { routes[head.session] = .passed(node, isUnbound: true) }
      // Nothing may follow UNBIND; the node says so.
      return isUnbound && head.kind == .unbind ? [] : [.pass(message.bytes, node)]
    }
  }

  private mutating func bound(
    _ message: WebSocketMessage, _ session: SessionIdent, _ isInUse: (SessionIdent) -> Bool,
    _ decode: ([UInt8]) -> BindMessage?
  ) -> [Action] {
    if case .closing(let node) = routes[session], case .binary(let bytes) = message, let bind = decode(bytes) {
      routes[session] = .rebinding(node, bind)
      keep(message, of: session)
      return []
    }
    guard routes[session] == nil else {
      return [.fail(ConnectionFailure(.reuseOfSessionIdent, "\(session) is in use"))]
    }
    guard !isInUse(session), case .binary(let bytes) = message, let bind = decode(bytes) else {
      return [.answer(message)]
    }
    guard routes.count < 2 * maximumSessions else {
      return [.fail(ConnectionFailure(.otherError, "too many sessions in one connection"))]
    }
    guard routes.count < maximumSessions else {
      routes[session] = .ended(nil)
      return [
        .refuse(
          session,
          SessionFailure(.otherSessionError, "too many sessions in one connection: close realms that are not needed"))
      ]
    }
    keep(message, of: session)
    return [place(bind)]
  }

  mutating func place(_ bind: BindMessage) -> Action {
    generation += 1
    routes[bind.session] = .placing(generation: generation)
    return .place(bind, generation: generation)
  }

  private mutating func keep(_ message: WebSocketMessage, of session: SessionIdent) {
    kept[session, default: []].append(message)
    keptBytes += message.bytes.count + Self.messageWeight
  }

  /// Handles the place of a session, whose kept messages go there.
  ///
  /// - Complexity: O(*n*) in the kept messages.
  mutating func placed(_ session: SessionIdent, generation: UInt64, _ place: Placed) -> [Action] {
    guard routes[session] == .placing(generation: generation) else { return [] }
    switch place {
    case .refused(let failure): return end(session, failure)
    case .here:
      routes[session] = nil
      return takeKept(session).map { .answer($0) }
    case .node(let node):
      let kept = takeKept(session)
      let isUnbound = kept.contains { MessageHead(ofClient: $0.bytes)?.kind == .unbind }
      routes[session] = .passed(node, isUnbound: isUnbound)
      return kept.map { .pass($0.bytes, node) }
    }
  }

  mutating func takeKept(_ session: SessionIdent) -> [WebSocketMessage] {
    let messages = kept.removeValue(forKey: session) ?? []
    keptBytes -= messages.reduce(0) { $0 + $1.bytes.count + Self.messageWeight }
    return messages
  }
}

extension SessionRelay.Route {
  /// The node that has the session; nil for one that no node has yet, or any more.
  var node: ServerNode? {
    switch self {
    case .passed(let node, isUnbound: _), .failed(let node), .closing(let node), .rebinding(let node, _): node
    case .ended(let node): node
    case .placing: nil
    }
  }
}

extension MessageHead.Kind {
  /// Whether the server's message ends its session.
  var endsSession: Bool {
    switch self {
    case .unbound: true
    case .failure(let code): !(SessionFailure.Code(rawValue: code.rawValue)?.leavesSessionActive ?? false)
    case .bind, .unbind, .other: false
    }
  }
}
